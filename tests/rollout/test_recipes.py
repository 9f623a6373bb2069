"""The recipes of examples/rollout, each by its owner's tool as far as this machine has it."""

from __future__ import annotations

import os
import plistlib
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hookstream.configuration.catalog import BY_NAME, LOCKED

RECIPES = Path(__file__).parents[2] / "examples" / "rollout"
HOOKSTREAM = Path(sys.executable).with_name("hookstream")
CLIENTS = {"claude-code", "codex", "copilot", "cursor", "gemini-cli", "opencode", "qwen-code"}
TASK = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not here")
    return found


def test_every_recipe_is_in_the_list() -> None:
    text = (RECIPES / "README.md").read_text("utf-8")
    files = [p for p in RECIPES.rglob("*") if p.is_file() and p.name != "README.md"]
    assert files
    for file in files:
        assert str(file.relative_to(RECIPES)) in text or file.name in text


def test_the_policy_is_one(tmp_path: Path) -> None:
    """All but the key, which is not here."""
    text = (RECIPES / "etc/config.toml").read_text("utf-8")
    values = tomllib.loads(text)
    assert set(values) - {LOCKED} <= set(BY_NAME) and set(values[LOCKED]) <= set(BY_NAME)
    file = tmp_path / "config.toml"
    file.write_text(text)
    done = subprocess.run(
        [HOOKSTREAM, "config", "check", "--policy", file], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_unit_is_one() -> None:
    unit = RECIPES / "systemd/hookstream-follow.service"
    done = subprocess.run(
        [tool("systemd-analyze"), "verify", "--user", "--man=no", str(unit)],
        capture_output=True,
        text=True,
    )
    said = [line for line in done.stderr.splitlines() if unit.name in line]
    # The program is not installed on this machine: the only thing that may be wrong.
    assert all("hookstream is not executable" in line for line in said), said


def test_the_launch_agent_is_one() -> None:
    made = plistlib.loads((RECIPES / "launchd/com.example.hookstream.follow.plist").read_bytes())
    assert made["Label"] + ".plist" == "com.example.hookstream.follow.plist"
    assert made["ProgramArguments"][1:] == ["run", "--follow"]
    assert made["KeepAlive"] == {"SuccessfulExit": False} and made["Umask"] == 0o077


def test_the_scheduled_task_is_one() -> None:
    root = ElementTree.parse(RECIPES / "windows/follow.xml").getroot()  # noqa: S314
    assert root.tag == f"{TASK}Task"
    parts = [part.tag.removeprefix(TASK) for part in root]
    # The schema has them in this order.
    assert parts == ["RegistrationInfo", "Triggers", "Principals", "Settings", "Actions"]
    principal = root.find(f"{TASK}Principals/{TASK}Principal")
    actions = root.find(f"{TASK}Actions")
    assert principal is not None and actions is not None
    assert principal.get("id") == actions.get("Context")
    assert actions.findtext(f"{TASK}Exec/{TASK}Arguments") == "run --follow"
    settings = root.find(f"{TASK}Settings")
    assert settings is not None and settings.findtext(f"{TASK}ExecutionTimeLimit") == "PT0S"


def test_scripts_by_a_linter() -> None:
    scripts = sorted(map(str, RECIPES.rglob("*.sh")))
    done = subprocess.run(
        [tool("shellcheck"), "-s", "sh", *scripts], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", ["install.sh", "remove.sh", "state.sh"])
def test_scripts_are_read_by_a_shell(name: str) -> None:
    file = RECIPES / "mdm" / name
    assert os.access(file, os.X_OK)
    assert subprocess.run(["sh", "-n", str(file)]).returncode == 0


def test_the_preset_variables_are_read_by_a_shell() -> None:
    file = RECIPES / "etc/hookstream-telemetry.sh"
    done = subprocess.run(
        ["sh", "-c", f". {file}; env"], env={}, capture_output=True, text=True, check=True
    )
    for client in ("GEMINI", "QWEN"):
        assert f"{client}_TELEMETRY_OTLP_ENDPOINT=http://127.0.0.1:4318\n" in done.stdout
        assert f"{client}_TELEMETRY_OTLP_PROTOCOL=http\n" in done.stdout


@pytest.mark.parametrize("name", ["rollout.yml", "remove.yml"])
def test_playbooks_are_read_by_ansible(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [tool("ansible-playbook"), "--syntax-check", "-i", "localhost,", name],
        cwd=RECIPES / "ansible",
        env={**os.environ, "HOME": str(tmp_path), "ANSIBLE_LOCAL_TEMP": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


PLAY = """
set -eu
cover() {{
  mkdir -p {tmp}/$2/upper {tmp}/$2/work
  over="upperdir={tmp}/$2/upper,workdir={tmp}/$2/work"
  mount -t overlay overlay -o "lowerdir=$1,$over" "$1" || exit 77
}}
cover /etc etc; cover /opt opt; cover /usr/local/lib lib
play() {{ ansible-playbook -i localhost, -c local -e ansible_python_interpreter={own} \\
  -e hookstream_package=hookstream -e hookstream_key={tmp}/fleet.key \\
  -e hookstream_token={tmp}/token "$@"; }}
there() {{ (cd {tmp}; find etc/upper opt/upper lib/upper -type f | sort); }}
play --check rollout.yml
echo ---; there; echo ---
# A copy of this environment stands for what the package index would give.
{python} -m venv --without-pip /opt/hookstream
printf '%s\\n' {paths} > "$(echo /opt/hookstream/lib/python3*/site-packages)/here.pth"
ln -s {python_bin}/hookstream /opt/hookstream/bin/hookstream
ln -s {python_bin}/pip /opt/hookstream/bin/pip
play rollout.yml
echo ---; there; echo ---
play rollout.yml
play remove.yml
play remove.yml
echo ---; there
"""


def test_the_playbooks_roll_out_and_back(tmp_path: Path) -> None:
    """As root, over an /etc, /opt and /usr/local/lib of their own: in check mode, in earnest,
    again, and back."""
    ansible = tool("ansible-playbook")
    tool("systemctl")
    if os.getuid() != 0:
        pytest.skip("needs root and a mount namespace")
    for name in ("fleet.key", "token"):
        (tmp_path / name).write_text(name)
    script = PLAY.format(
        tmp=tmp_path,
        own=Path(ansible).resolve().with_name("python"),
        python=sys.executable,
        python_bin=Path(sys.executable).parent,
        paths=" ".join(path for path in sys.path if path),
    )
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script],
        cwd=RECIPES / "ansible",
        env={**os.environ, "HOME": str(tmp_path), "ANSIBLE_LOCAL_TEMP": str(tmp_path / "a")},
        capture_output=True,
        text=True,
        timeout=600,
    )
    if done.returncode == 77:
        pytest.skip(f"no overlay can be mounted here: {done.stderr}")
    assert done.returncode == 0, done.stdout + done.stderr
    checked, nothing, rolled_out, files, again, left = done.stdout.split("---\n")
    counts = [re.findall(r"changed=(\d+) .*failed=(\d+)", part) for part in (checked, rolled_out)]
    assert counts == [[("8", "0")], [("8", "0")]]
    assert nothing == ""
    for name in ("hookstream/config.toml", "codex/requirements.toml", "windsurf/hooks.json"):
        assert f"etc/upper/{name}\n" in files
    assert "lib/upper/hookstream/hookstream-hook\n" in files
    assert re.findall(r"changed=(\d+)", again) == ["0", "3", "0"]
    assert left == ""


def test_the_order_of_the_playbooks_is_the_right_one() -> None:
    """Copilot denies every tool call while its policy names a program that is not there."""
    text = (RECIPES / "ansible/rollout.yml").read_text()
    names = re.findall(r"- name: (.*)", text)
    order = [next(n for n, one in enumerate(names) if word in one) for word in (
        "Install the program", "Install the policy", "Register the hooks",
    )]  # fmt: skip
    assert order == sorted(order)
    first = re.findall(r"    - name: (.*)", (RECIPES / "ansible/remove.yml").read_text())[0]
    assert first.startswith("Take the hooks out")


def test_the_image_runs_as_nobody_in_particular() -> None:
    text = (RECIPES / "docker/Dockerfile").read_text()
    joined = re.sub(r"\\\n", " ", text)
    words = [line.split() for line in joined.splitlines() if line and line[0] != "#"]
    known = set("FROM LABEL RUN COPY VOLUME USER WORKDIR STOPSIGNAL CMD".split())
    assert {line[0] for line in words} <= known and words[0][0] == "FROM"
    assert ":" in words[0][1] and not words[0][1].endswith(":latest")
    (user,) = [line[1] for line in words if line[0] == "USER"]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", user)
    # Hooks are registered by root, before the user there is.
    assert text.index("--scope managed") < text.index("USER ")


def test_the_image_by_a_linter() -> None:
    done = subprocess.run(
        [tool("hadolint"), str(RECIPES / "docker/Dockerfile")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


SCRIPT = """
set -eu
mkdir {tmp}/lib
mount -t tmpfs tmpfs {tmp}/lib
mkdir {tmp}/lib/upper {tmp}/lib/work
over="upperdir={tmp}/lib/upper,workdir={tmp}/lib/work"
mount -t overlay overlay -o "lowerdir=/usr/local/lib,$over" /usr/local/lib || exit 77
cp /etc/passwd {tmp}/passwd
mount -t tmpfs tmpfs /etc
cp {tmp}/passwd /etc/passwd
{mdm}/state.sh
{mdm}/install.sh
echo ---
{mdm}/state.sh
find /etc -type f | sort
echo ---
{mdm}/install.sh
{mdm}/remove.sh
find /etc -type f | sort
"""


@pytest.mark.long
def test_the_scripts_of_an_mdm_roll_out_and_back(tmp_path: Path) -> None:
    """As root, over an /etc and a /usr/local/lib of their own."""
    if os.getuid() != 0 or subprocess.run(["unshare", "-m", "true"], check=False).returncode:
        pytest.skip("needs root and a mount namespace")
    mdm = tmp_path / "mdm"
    shutil.copytree(RECIPES / "mdm", mdm)
    shutil.copy(RECIPES / "etc/config.toml", mdm)
    (mdm / "fleet.key").write_text("f" * 64)
    (mdm / "centre.token").write_text("t" * 32)
    before = sorted(Path("/usr/local/lib").iterdir())
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", SCRIPT.format(tmp=tmp_path, mdm=mdm)],
        env={
            "HOME": str(tmp_path),
            "PATH": os.environ["PATH"],
            "HOOKSTREAM_PROGRAM": str(HOOKSTREAM),
        },
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert sorted(Path("/usr/local/lib").iterdir()) == before
    if done.returncode == 77:
        pytest.skip("needs an overlay file system")
    assert done.returncode == 0, done.stdout + done.stderr
    _, there, after = done.stdout.split("---\n")
    assert "<result>ok hookstream " in there
    for client in ("claude-code", "codex", "github-copilot", "gemini-cli", "windsurf"):
        assert f"/etc/{client}/" in there
    left = [line for line in after.splitlines() if re.fullmatch(r"/etc/\S+", line)]
    assert left == ["/etc/passwd"]
