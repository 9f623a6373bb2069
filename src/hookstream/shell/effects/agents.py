"""Effects on coding agents and what they install: guards, hooks, agents, packages, remotes."""

from __future__ import annotations

import re
from itertools import pairwise

from hookstream.shell.files import writes
from hookstream.shell.managers import ECOSYSTEMS
from hookstream.shell.packages import installs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.shell.command import Command

MESSAGE = ("-m", "-am", "--message")
HOOK_SETTING = re.compile(
    r"disableAllHooks[\"']?\s*[:=]?\s*true|AGENT_HOOKS_LOG=(?:off|/dev/null|\Z)"
)


AGENTS = {
    "claude": ("-p", "--print", "--dangerously-skip-permissions"),
    "codex": ("--yolo", "--full-auto", "--dangerously-bypass-approvals-and-sandbox"),
    "gemini": ("-p", "--prompt", "--yolo", "-y"),
    "qwen": ("-p", "--prompt", "--yolo", "-y"),
    "copilot": ("-p", "--prompt", "--allow-all-tools"),
    "kimi": ("-p", "--prompt", "--yolo", "-y", "--auto"),
    "pi": ("-p", "--print"),
    "vibe": ("-p", "--prompt", "--auto-approve", "--yolo"),
    "auggie": ("-p", "--print"),
    "agy": ("-p", "--prompt"),
    "cursor-agent": ("-p", "--print", "--force"),
    "q": ("--trust-all-tools", "--no-interactive"),
    "kiro-cli": ("--trust-all-tools", "--no-interactive"),
    "amp": ("-x", "--execute", "--dangerously-allow-all"),
    "aider": ("--yes-always", "--message"),
    "goose": (),
    "opencode": (),
    "cline": ("--yolo", "-y"),
}


def hooks_off(c: Command) -> bool:
    if c.program == "hookstream":
        return c.verb("uninstall")
    if c.program == "git":
        return any(
            re.match(r"core\.hooksPath=?(?:/dev/null|$)", w, re.IGNORECASE) for w in c.args
        ) and ("/dev/null" in " ".join(c.args))
    whole = " ".join([*c.args, *c.assigned, *c.stdin])
    if c.program in ("grep", "rg", "cat", "git"):
        return False
    quotes_only = c.program in ("echo", "printf") and not writes(c)
    return not quotes_only and HOOK_SETTING.search(whole) is not None


def guard_skipped(c: Command) -> bool:
    if any(word.startswith(("HUSKY=0", "SKIP=")) for word in c.assigned):
        return True
    if c.program == "git":
        said = [word for before, word in pairwise(["", *c.args]) if before not in MESSAGE]
        return "--no-verify" in said or (c.verb("commit") and c.has("-n"))
    if (
        c.program in ("npm", "yarn", "pnpm", "hg", "pre-commit", "husky")
        and "--no-verify" in c.args
    ):
        return True
    if c.program in ("echo", "printf", "grep", "rg"):
        return False
    return any(
        word.startswith("--dangerously-") or word == "--yolo" or word == "--no-verify"
        for word in c.args
    )


def agent_started(c: Command) -> bool:
    """Another coding agent, without a person: `claude -p`, `codex exec`, `--yolo`."""
    args = c.args
    name = c.program
    if name in ("npx", "bunx", "uvx", "pnpm"):
        name = next((w.rpartition("/")[2].partition("@")[0] for w in c.operands()), "")
        name = {"claude-code": "claude", "gemini-cli": "gemini", "qwen-code": "qwen"}.get(
            name, name
        )
    if name not in AGENTS:
        return False
    if name in ("codex", "opencode", "goose"):
        verbs = {"codex": "exec", "opencode": "run", "goose": "run"}
        if verbs[name] in c.operands()[:2] or (name == "codex" and "e" in c.operands()[:1]):
            return True
    return any(word.partition("=")[0] in AGENTS[name] for word in args)


def skill_install(c: Command) -> bool:
    words = c.operands()
    joined = " ".join(words[:4])
    if c.program in AGENTS or c.program in ("openclaw", "clawhub", "code"):
        return (
            bool(re.match(r"(?:plugins?|skills?|extensions?)\s(?:install|add)", joined))
            or (c.program == "code" and c.has("--install-extension"))
            or (c.program in ("clawhub",) and c.verb("install"))
        )
    return c.program in ("npx", "bunx") and bool(re.match(r"(?:add-)?skills?\b", joined))


def package_source(c: Command) -> bool:
    """A package from another index, a repository or an address."""
    if c.program not in ECOSYSTEMS and c.program not in ("python", "python3"):
        return False
    options = (
        "--index-url",
        "--extra-index-url",
        "--registry",
        "--index",
        "--default-index",
        "--find-links",
    )
    if c.has(*options) or (c.program in ("pip", "pip3") and c.has("-i")):
        return True
    if (
        c.program in ("npm", "pnpm", "yarn")
        and c.verb("config", "set")
        and "registry" in " ".join(c.args)
    ):
        return True
    return any(
        re.match(r"git\+|(?:https?|ssh)://.{0,300}\.(?:git|tgz|tar\.gz|whl|zip)", w)
        for w in c.operands()
    )


def package_install(c: Command) -> bool:
    return installs(c)


def git_remote_changed(c: Command) -> bool:
    if c.program != "git":
        return False
    if c.verb("remote", "add|set-url"):
        return True
    return (
        c.verb("config")
        and not c.has("--get", "-l", "--list")
        and any(
            re.search(
                r"\.(?:insteadof|pushinsteadof|helper)$|^credential\.helper|^remote\..{1,99}\.(?:push)?url$",
                w,
                re.IGNORECASE,
            )
            for w in c.operands()
        )
        and len(c.operands()) > 2
    )
