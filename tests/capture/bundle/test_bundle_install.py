"""A machine with Python alone: install, capture, uninstall; bytes restored."""

import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import time
import tomllib
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
from hook_runner import CLAUDE, CURSOR
from laptops import PYTHON, pythons

from hookstream.bundle import main
from hookstream.capture.install import launcher
from hookstream.capture.install.manifest import MANIFEST, parsed
from hookstream.capture.install.unpack import unpack
from hookstream.version import __version__

pytestmark = pytest.mark.long

PYTHONS = pythons()


def test_install_capture_and_uninstall_leave_the_files_as_they_were(laptop, bundle):
    laptop.bundle(bundle, "install", "--all")
    bundle_gone = bundle.with_suffix(".moved")
    bundle.rename(bundle_gone)  # it is not needed from here on
    try:
        laptop.event(CLAUDE)
        (event,) = laptop.events()
        assert event["event_type"] == "Action.Before"
        assert "31 events registered" in laptop.run(laptop.folder / "hookstream", "status").stdout
        laptop.run(laptop.folder / "hookstream", "uninstall", "--all", "--purge-log")
    finally:
        bundle_gone.rename(bundle)
    assert laptop.is_restored()
    left = [str(path) for path in laptop.path.rglob("*") if path.is_file()]
    assert left == [str(laptop.claude)]
    assert not laptop.folder.exists()


def test_the_file_reports_from_the_code_that_is_installed_for_all_users(
    bundle, tmp_path, monkeypatch
):
    manifest = parsed(zipfile.ZipFile(bundle).read(MANIFEST))
    monkeypatch.setattr(launcher, "MANAGED", tmp_path / "managed")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(main, "own", lambda: (bundle, manifest))
    continued = []
    monkeypatch.setattr(main, "run_in", lambda folder, argv: continued.append((folder, argv)))
    main._run_installed(["status"])
    assert continued == []
    folder = unpack(bundle, manifest, managed=True)
    main._run_installed(["status"])
    assert continued == [(folder, ["status"])]


def test_dry_run_and_a_wrong_request_write_nothing(laptop, bundle):
    before = sorted(laptop.path.rglob("*"))
    assert (
        "# claude-code: 31 events in 1 file"
        in laptop.bundle(bundle, "install", "--all", "--dry-run").stdout
    )
    wrong = laptop.bundle(bundle, "install", "claude", status=2)
    assert wrong.stderr == "hookstream: invalid client 'claude'; did you mean claude-code?\n"
    assert "(see --help)" in laptop.bundle(bundle, "install", "--al", "--x", status=2).stderr
    assert sorted(laptop.path.rglob("*")) == before


def test_the_launcher_names_a_folder_that_only_its_owner_can_write(laptop, bundle):
    laptop.bundle(bundle, "install", "--all")
    text = (laptop.folder / "hookstream-hook").read_text()
    (lib,) = (laptop.folder / "lib").iterdir()
    assert f"'{lib}/hookstream'" in text
    for path in (laptop.folder, lib, *lib.rglob("*")):
        info = path.lstat()
        assert info.st_uid == os.geteuid()
        assert not info.st_mode & 0o022
        assert not stat.S_ISLNK(info.st_mode)


def test_a_group_writable_folder_gets_no_code(laptop, bundle):
    lib = laptop.folder / "lib"
    lib.mkdir(parents=True)
    lib.chmod(0o775)
    refused = laptop.bundle(bundle, "install", "--all", status=2)
    assert refused.stderr.startswith(f"hookstream: {lib}: others can write it")
    assert laptop.is_restored()


def test_a_hooks_environment_chooses_no_code(laptop, bundle, tmp_path):
    """What a project's .env can name: search paths, homes, folders of hookstream's."""
    laptop.bundle(bundle, "install", "--all")
    evil = tmp_path / "evil"
    (evil / "hookstream/lib").mkdir(parents=True)
    for name in ("hookstream/__init__.py", "sitecustomize.py", "json.py", "orjson.py"):
        (evil / name).write_text(f"open({str(evil / 'ran')!r}, 'w')\n")
    named = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONPYCACHEPREFIX", "PYTHONUSERBASE")
    named += ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME")
    (line,) = laptop.lines_of("PreToolUse")
    subprocess.run(
        ["sh", "-c", line],
        input=json.dumps(CLAUDE).encode(),
        env={**laptop.environment(), **dict.fromkeys(named, str(evil))},
        cwd=evil,
        check=True,
    )
    assert len(laptop.events()) == 1
    assert not (evil / "ran").exists()


@pytest.mark.long
def test_altered_code_is_unpacked_again(laptop, bundle):
    laptop.bundle(bundle, "install", "--all")
    (lib,) = (laptop.folder / "lib").iterdir()
    main = lib / "hookstream/capture/hook/main.py"
    main.write_text("raise SystemExit(1)\n")
    laptop.bundle(bundle, "install", "--all")
    laptop.event(CLAUDE)
    assert len(laptop.events()) == 1


def test_a_damaged_bundle_is_refused_before_anything_is_written(laptop, bundle, tmp_path):
    damaged = tmp_path / "damaged.pyz"
    with zipfile.ZipFile(bundle) as whole, zipfile.ZipFile(damaged, "w") as copy:
        for name in whole.namelist():
            data = whole.read(name)
            copy.writestr(name, data + b"\n#" if name.endswith("hook/main.py") else data)
    refused = laptop.bundle(damaged, "install", "--all", status=2)
    assert "hookstream/capture/hook/main.py is damaged" in refused.stderr
    assert laptop.is_restored()
    assert list((laptop.folder / "lib").iterdir()) == []


@pytest.mark.long
def test_every_line_ends_well_when_the_code_or_all_of_it_has_gone(laptop, bundle):
    laptop.bundle(bundle, "install", "claude-code", "cursor")
    hooks = json.loads((laptop.path / ".cursor/hooks.json").read_text())["hooks"]
    cursor = hooks["beforeShellExecution"][0]["command"]
    lines = {laptop.lines_of("PreToolUse")[0]: "", cursor: "{}"}
    for gone in (laptop.folder / "lib", laptop.folder):
        shutil.rmtree(gone)
        for line, answer in lines.items():
            done = laptop.run("sh", "-c", line, data=json.dumps(CURSOR).encode())
            assert (done.stdout.strip(), done.stderr) == (answer, "")


@pytest.mark.slow
@pytest.mark.parametrize("python", [path for path, is_new in PYTHONS.items() if is_new])
def test_it_runs_on_every_python_that_it_is_for(laptop, bundle, python):
    laptop.run(python, bundle, "install", "--all")
    laptop.event(CLAUDE)
    assert len(laptop.events()) == 1
    laptop.run(python, bundle, "uninstall", "--all")
    assert laptop.is_restored()


def test_an_old_python_gets_one_line(laptop, bundle):
    old = [path for path, is_new in PYTHONS.items() if not is_new]
    if not old:
        pytest.skip("no Python before 3.11 here")
    for python in old:
        refused = laptop.run(python, bundle, "install", "--all", status=2)
        assert refused.stderr.startswith("hookstream: needs Python 3.11 or newer, this is ")
        assert refused.stderr.count("\n") == 1


def test_hooks_hand_over_to_the_bundles_collector(laptop, bundle):
    laptop.bundle(bundle, "install", "--all")
    words = [str(laptop.folder / "hookstream"), "serve", "--http", "off", "--log-format", "json"]
    serving = subprocess.Popen(words, env=laptop.environment(), stderr=subprocess.PIPE, text=True)
    try:
        assert json.loads(serving.stderr.readline())["msg"].startswith("listening on unix:")
        laptop.event(CLAUDE)
        until = time.monotonic() + 5
        while not laptop.log.exists() and time.monotonic() < until:
            time.sleep(0.02)
        assert len(laptop.events()) == 1
    finally:
        serving.terminate()
        assert serving.wait(10) == 0
    unit = laptop.run(laptop.folder / "hookstream", "serve", "--http", "off", "--print-unit").stdout
    assert f"ExecStart={laptop.folder}/hookstream serve --http off\n" in unit


def test_otlp_in_protobuf_is_refused_in_words_where_no_library_reads_it(laptop, bundle, tmp_path):
    token = tmp_path / "token"
    token.write_text("t" * 32)
    token.chmod(0o600)
    words = [PYTHON, str(bundle), "serve", "--http", "127.0.0.1:0", "--token-file", str(token)]
    serving = subprocess.Popen(words, env=laptop.environment(), stderr=subprocess.PIPE, text=True)
    try:
        port = int(serving.stderr.readline().rpartition(":")[2])
        answers = {}
        for kind, body in (("x-protobuf", b"\x0a\x00"), ("json", b'{"resourceLogs": []}')):
            head = (
                f"POST /v1/logs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {'t' * 32}\r\n"
            )
            head += f"Content-Type: application/{kind}\r\nContent-Length: {len(body)}\r\n"
            with socket.create_connection(("127.0.0.1", port), 10) as line:
                line.sendall((head + "Connection: close\r\n\r\n").encode() + body)
                answers[kind] = line.makefile("rb").read()
    finally:
        serving.terminate()
        serving.wait(10)
    assert answers["json"].startswith(b"HTTP/1.1 200 ")
    assert answers["x-protobuf"].startswith(b"HTTP/1.1 415 ")
    assert b"http/json" in answers["x-protobuf"]


def test_telemetry_is_switched_on_in_what_the_bundles_collector_reads(laptop, bundle):
    codex = laptop.path / ".codex/config.toml"
    codex.parent.mkdir()
    codex.write_text('model = "gpt-5.5"\n')
    laptop.bundle(bundle, "install", "claude-code", "codex", "--telemetry")
    env = json.loads(laptop.claude.read_text())["env"]
    assert env["OTEL_EXPORTER_OTLP_PROTOCOL"] == "http/json"
    exporter = tomllib.loads(codex.read_text())["otel"]["exporter"]["otlp-http"]
    assert exporter["protocol"] == "json"
    laptop.run(laptop.folder / "hookstream", "uninstall", "--all")
    assert laptop.is_restored()
    assert codex.read_text() == 'model = "gpt-5.5"\n'


def test_version_and_digest_are_printed(laptop, bundle):
    line = laptop.bundle(bundle, "--version").stdout
    digest = json.loads(zipfile.ZipFile(bundle).read("bundle.json"))["digest"]
    of_file = sha256(bundle.read_bytes()).hexdigest()
    said = f"hookstream {__version__} bundle sha256:{digest} file sha256:{of_file}\n"
    assert line == said


@pytest.mark.long
def test_what_is_captured_is_shipped_to_a_centre(laptop, bundle, tmp_path):
    token, machines = "t" * 32, tmp_path / "machines"
    machines.write_text(f"laptop-1 sha256:{sha256(token.encode()).hexdigest()}\n")
    machines.chmod(0o600)
    own = laptop.path / "ship.token"
    own.write_text(token)
    own.chmod(0o600)
    laptop.bundle(bundle, "install", "claude-code")
    laptop.event(CLAUDE)
    hookstream = str(Path(sys.executable).parent / "hookstream")
    words = [hookstream, "serve", "--http", "127.0.0.1:0", "--socket", "off"]
    words += ["--machines", str(machines), "--fleet", str(tmp_path / "fleet")]
    home = {**laptop.environment(), "HOME": str(tmp_path)}
    centre = subprocess.Popen(words, env=home, stderr=subprocess.PIPE, text=True)
    try:
        url = centre.stderr.readline().split()[-1]
        command = laptop.folder / "hookstream"
        said = laptop.run(command, "ship", url, "--once", "--token-file", own).stderr
    finally:
        centre.terminate()
        centre.wait(20)
    assert "delivered 1, dropped 0" in said
    (sink,) = json.loads(laptop.run(command, "status", "--format", "json").stdout)["deliveries"]
    assert [one["delivered"] for one in sink["sinks"].values()] == [1]
    arrived = tmp_path / "fleet/laptop-1/agent-hooks.jsonl"
    assert arrived.read_bytes() == laptop.log.read_bytes()
