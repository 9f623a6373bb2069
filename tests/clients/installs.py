"""The pinned client versions, where they are installed, and why a client cannot run here.

Versions are pinned exactly, and install scripts are off: the native programs need none. A client
is installed once below $HOOKSTREAM_CLIENTS (default ~/.cache/hookstream-clients), and only where
HOOKSTREAM_INSTALL_CLIENTS asks for it: 1 for all, or names with commas between them.
"""

import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MACHINE = os.uname().machine
ARCH = {"x86_64": "x64", "aarch64": "arm64"}.get(MACHINE, "")
NODE_22 = f"node-linux-{ARCH}@22.23.3"

VERSIONS = {
    "claude-code": "2.1.332",
    "gemini-cli": "0.61.0",
    "codex": "0.169.0",
    "copilot": "1.0.102",
    "qwen-code": "0.24.4",
    "opencode": "1.18.34",
    "cline": "3.0.65",
    "pi": "0.73.1",
    "kimi-code": "2.1.0",
    "mistral-vibe": "3.0.2",
    "auggie": "0.36.0",
    "grok-build": "1.0.41",
    "kilo": "7.7.9",
    "droid": "0.225.2",
}
PACKAGES = {
    "claude-code": [f"@anthropic-ai/claude-code-linux-{ARCH}@2.1.332"],
    "gemini-cli": ["@google/gemini-cli@0.61.0", NODE_22],
    "codex": ["@openai/codex@0.169.0"],
    "copilot": [f"@github/copilot-linux-{ARCH}@1.0.102"],
    "qwen-code": ["@qwen-code/qwen-code@0.24.4", NODE_22],
    "opencode": [f"opencode-linux-{ARCH}@1.18.34"],
    "cline": [f"@cline/cli-linux-{ARCH}@3.0.65"],
    "kimi-code": ["@moonshot-ai/kimi-code@2.1.0", NODE_22],
    "pi": ["@mariozechner/pi-coding-agent@0.73.1", NODE_22],
    "auggie": ["@augmentcode/auggie@0.36.0", NODE_22],
    "grok-build": [f"@xai-official/grok-linux-{ARCH}@1.0.41"],
    "kilo": [f"@kilocode/cli-linux-{ARCH}@7.7.9"],
    "droid": [f"@factory/cli-linux-{ARCH}@0.225.2"],
}
PROGRAMS = {
    "claude-code": f"@anthropic-ai/claude-code-linux-{ARCH}/claude",
    "gemini-cli": "@google/gemini-cli/bundle/gemini.js",
    "codex": f"@openai/codex-linux-{ARCH}/vendor/{MACHINE}-unknown-linux-musl/bin/codex",
    "copilot": f"@github/copilot-linux-{ARCH}/copilot",
    "qwen-code": "@qwen-code/qwen-code/cli.js",
    "opencode": f"opencode-linux-{ARCH}/bin/opencode",
    "cline": f"@cline/cli-linux-{ARCH}/bin/cline",
    "kimi-code": "@moonshot-ai/kimi-code/dist/main.mjs",
    "pi": "@mariozechner/pi-coding-agent/dist/cli.js",
    "auggie": "@augmentcode/auggie/augment.mjs",
    "grok-build": f"@xai-official/grok-linux-{ARCH}/bin/grok",
    "kilo": f"@kilocode/cli-linux-{ARCH}/bin/kilo",
    "droid": f"@factory/cli-linux-{ARCH}/bin/droid",
}
# Programs that an install script would unpack: they lie beside it, compressed with Brotli.
PACKED = {"grok-build": ".br"}
UNPACK = """const [from, to] = process.argv.slice(1), fs = require("fs");
fs.writeFileSync(to, require("zlib").brotliDecompressSync(fs.readFileSync(from)), {mode: 0o755});"""
# Clients from PyPI, in a virtual environment of a Python that is new enough for them.
PYTHON = {"mistral-vibe": "mistral-vibe==3.0.2"}
PYTHONS = ("python3.14", "python3.13", "python3.12")
PROGRAMS_OF_PYTHON = {"mistral-vibe": "bin/vibe"}
WANTED = os.environ.get("HOOKSTREAM_INSTALL_CLIENTS", "")
INSTALL_LIMIT_S = 600
# npm's words for a registry that is not there, or not for us.
UNREACHABLE = frozenset(
    "ENOTFOUND EAI_AGAIN ECONNREFUSED ECONNRESET ETIMEDOUT EHOSTUNREACH ENETUNREACH "
    "ERR_SOCKET_TIMEOUT EPROTO E401 E403 E407 E502 E503 E504 FETCH_ERROR".split()
)


def cache() -> Path:
    """The folder of all clients."""
    named = os.environ.get("HOOKSTREAM_CLIENTS")
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(named).absolute() if named else base / "hookstream-clients"


def folder(client: str) -> Path:
    """A client's folder; the version in its name makes another pin another folder."""
    return cache() / f"{client}-{VERSIONS[client]}"


def program(client: str) -> list[str]:
    """The words that start a client."""
    if client in PYTHON:
        base = folder(client)
        return [str(base / "bin/python"), str(base / PROGRAMS_OF_PYTHON[client])]
    modules = folder(client) / "node_modules"
    words = [str(modules / PROGRAMS[client])]
    if words[0].endswith((".js", ".mjs")):
        words.insert(0, str(modules / f"node-linux-{ARCH}/bin/node"))
    return words


def missing(client: str) -> str | None:
    """Why a client cannot run here, or None. Installs it where that was asked for; raises what
    keeps it from being installed other than a registry out of reach."""
    reason = _no_sandbox() or _tried(client)
    if isinstance(reason, Exception):
        raise reason
    return reason


@functools.cache
def _tried(client: str) -> str | Exception | None:
    try:
        return None if _is_complete(client) else _install(client)
    except Exception as error:
        return error


def _is_complete(client: str) -> bool:
    return all(Path(word).exists() for word in program(client))


@functools.cache
def _no_sandbox() -> str | None:
    """Whether a namespace with loopback alone can be made, tried and not guessed."""
    if not sys.platform.startswith("linux") or not ARCH:
        return "the clients run in a Linux network namespace on x86_64 or aarch64"
    for name in ("unshare", "git"):
        if shutil.which(name) is None:
            return f"{name} is not installed"
    tried = subprocess.run([*namespace(), "true"], capture_output=True, text=True, timeout=60)
    if tried.returncode:
        return f"no network namespace can be made here: {tried.stderr.strip()}"
    return None


def namespace() -> list[str]:
    """Own network (loopback only) and own processes: nothing goes out, nothing survives a run."""
    words = ["unshare", "-n", "-p", "--fork", "--mount-proc", "--kill-child"]
    return words if os.geteuid() == 0 else [*words, "-r"]


def _install(client: str) -> str | None:
    version = VERSIONS[client]
    if WANTED != "1" and client not in WANTED.split(","):
        return f"{client} {version} is not installed; HOOKSTREAM_INSTALL_CLIENTS=1 installs it"
    if client in PYTHON:
        return _pip(client)
    if shutil.which("npm") is None:
        return f"npm is not installed, and {client} {version} comes from npm"
    cache().mkdir(parents=True, exist_ok=True)
    # Whole or not at all: an install that is cut off must not be taken for one.
    with tempfile.TemporaryDirectory(dir=cache(), prefix=f".{client}-") as base:
        draft = Path(base, "whole")
        draft.mkdir()
        problem = _npm(client, draft)
        if problem is not None:
            return f"{client} {version} cannot be installed: {problem}"
        if client in PACKED:
            target = draft / "node_modules" / PROGRAMS[client]
            words = ["node", "-e", UNPACK, f"{target}{PACKED[client]}", str(target)]
            subprocess.run(words, check=True, timeout=INSTALL_LIMIT_S)
        shutil.rmtree(folder(client), ignore_errors=True)
        draft.rename(folder(client))
    if not _is_complete(client):
        raise FileNotFoundError(f"{client} {version} was installed without {program(client)[-1]}")
    return None


def _pip(client: str) -> str | None:
    """Installs into a virtual environment, which is removed where that fails: its programs name
    its place, so it cannot be moved there when it is complete."""
    found = [path for path in map(shutil.which, PYTHONS) if path is not None]
    asked = {path: subprocess.run([path, "-V"], capture_output=True) for path in found}
    runs = [path for path, done in asked.items() if done.returncode == 0]
    if not runs:
        return f"{client} {VERSIONS[client]} needs Python 3.12 or newer"
    target = folder(client)
    shutil.rmtree(target, ignore_errors=True)
    words = [str(target / "bin/python"), "-m", "pip", "install", "-q", PYTHON[client]]
    for one in ([runs[0], "-m", "venv", str(target)], words):
        done = subprocess.run(one, capture_output=True, text=True, timeout=INSTALL_LIMIT_S)
        if done.returncode:
            shutil.rmtree(target, ignore_errors=True)
            return f"{client} {VERSIONS[client]} cannot be installed: {done.stderr.strip()[-200:]}"
    return None


def _npm(client: str, target: Path) -> str | None:
    """Installs into a folder; why the registry cannot be reached, or None. Any other failure of an
    install that was asked for is raised: a version that is gone must not pass for a skipped one."""
    words = ["npm", "install", "--prefix", str(target), "--no-save", "--ignore-scripts"]
    words += ["--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1"]
    try:
        done = subprocess.run(
            words + PACKAGES[client], capture_output=True, text=True, timeout=INSTALL_LIMIT_S
        )
    except subprocess.TimeoutExpired:
        return f"npm was not done after {INSTALL_LIMIT_S} s"
    if done.returncode == 0:
        return None
    code = re.search(r"^npm (?:error|ERR!) code (\w+)", done.stderr, re.MULTILINE)
    if code is not None and code[1] in UNREACHABLE:
        return f"npm does not reach its registry ({code[1]})"
    raise RuntimeError(f"npm install {' '.join(PACKAGES[client])} failed:\n{done.stderr}")
