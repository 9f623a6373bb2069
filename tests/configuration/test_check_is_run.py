"""The law: `config check` refuses exactly what `run --config` refuses, in the same words."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from hookstream.cli.app import app
from hookstream.configuration.catalog import SETTINGS
from hookstream.core.errors import HookstreamError, SinkError

pytestmark = pytest.mark.long

OUT = '[[sink]]\nuri = "jsonl:{home}/out"\n'
# The public half of a seal key whose other half is nowhere.
VKEY = (
    "hookstream/847381011037c529/agent-hooks.jsonl+7570ea15"
    "+AZd2VbkbWrPBhUkTIBpNPlvEudZHrKWwZSVVR8SnXbC4\n"
)
IN = 'sources = ["{home}/in"]\n'
WEB = '[[sink]]\nuri = "webhook:http://127.0.0.1:9/in"\n'
PLAIN = '[[sink]]\nuri = "webhook:http://x.example/"\n'
ALERT = '[[alert]]\nto = "slack:https://x.example"\nevery = "5m"\n'
SPLUNK = '[[sink]]\nuri = "splunk:https://127.0.0.1:9"\n'
PROMPT = {"session_id": "5d0c", "hook_event_name": "UserPromptSubmit", "prompt": "words"}

BROKEN = {
    "not TOML": "sources = ",
    "nested too deeply": "x = " + "[" * 3000 + "]" * 3000,
    "empty": "",
    "no sink": IN,
    "no source": OUT,
    "unknown setting": "privcy = 1\n" + IN + OUT,
    "privacy": 'privacy = "hsh"\n' + IN + OUT,
    "standard": 'standard = "ahs"\n' + IN + OUT,
    "vendor of a wrong type": "vendor = 1\n" + IN + OUT,
    "vendor unknown": 'vendor = "claud-code"\n' + IN + OUT,
    "personal": 'personal = ["emial"]\n' + IN + OUT,
    "pseudonyms": 'pseudonyms = "salted"\n' + IN + OUT,
    "locked": 'locked = ["log"]\n' + IN + OUT,
    "setting of hooks": "budget_ms = 1\n" + IN + OUT,
    "setting of a log": "keep = -1\n" + IN + OUT,
    "source that is not there": 'sources = ["{home}/later"]\n' + OUT,
    "pattern that matches nothing": 'sources = ["{home}/later*"]\n' + OUT,
    "one source that is not there": 'sources = ["{home}/in", "{home}/later"]\n' + OUT,
    "source of a wrong type": "sources = [1]\n" + OUT,
    "standard input": 'sources = ["-"]\n' + OUT,
    "two streams": 'sources = ["kafka://127.0.0.1:9/a", "{home}/in"]\n' + OUT,
    "source in the sink": 'sources = ["{home}/out"]\n' + OUT,
    "state in the source": 'state = "{home}/in/state"\n' + IN + OUT,
    "state is a file": 'state = "{home}/file"\n' + IN + OUT,
    "state below a file": 'state = "{home}/file/x"\n' + IN + OUT,
    "spool": "spool_bytes = 1\n" + IN + OUT,
    "hash key absent": 'hash_key_file = "{home}/none"\n' + IN + OUT,
    "hash key that others read": 'hash_key_file = "{home}/open"\n' + IN + OUT,
    "hash key too short": 'hash_key_file = "{home}/short"\n' + IN + OUT,
    "pseudonym key absent": 'pseudonym_key_file = "{home}/none"\n' + IN + OUT,
    "allow absent": 'allow = "{home}/none"\n' + IN + OUT,
    "allow is a folder": 'allow = "{home}/in"\n' + IN + OUT,
    "seal place": 'seal_to = ["ftp://x"]\n' + IN + OUT,
    "seal place is not a repository": 'seal_to = ["git:{home}/in"]\n' + IN + OUT,
    "seal of a wrong type": "seal = 1\n" + IN + OUT,
    "kafka option absent": 'kafka = {"sasl.password" = {env = "NO_SUCH"}}\n' + IN + OUT,
    "kind": IN + '[[sink]]\nuri = "spluk:https://x:8088"\n',
    "kind missing": IN + '[[sink]]\nuri = "{home}/out"\n',
    "target missing": IN + '[[sink]]\nuri = "parquet:"\n',
    "target with a NUL": IN + '[[sink]]\nuri = "jsonl:a\\u0000b"\n',
    "target is a file": IN + '[[sink]]\nuri = "jsonl:{home}/file"\n',
    "target below a file": IN + '[[sink]]\nuri = "parquet:{home}/file/x"\n',
    "output is a folder": IN + '[[sink]]\nuri = "jsonl:{home}/taken"\n',
    "target is a Delta table": IN + '[[sink]]\nuri = "parquet:{home}/delta"\n',
    "two of one folder": IN + OUT + '[[sink]]\nuri = "parquet:{home}/out"\n',
    "two of one name": IN + OUT + OUT,
    "sealed by another": IN + '[[sink]]\nuri = "jsonl:{home}/foreign"\n',
    "two of one address": IN
    + '[[sink]]\nname = "a"\nuri = "jsonl:{home}/new"\n'
    + '[[sink]]\nname = "b"\nuri = "jsonl:{home}/new"\n',
    "uri missing": IN + '[[sink]]\nname = "x"\n',
    "sink is a text": 'sink = ["jsonl:out"]\n' + IN,
    "option misspelt": IN + SPLUNK + 'token_evn = "X"\n',
    "option of a folder": IN + OUT + "token_file = 1\n",
    "option of a wrong type": IN + WEB + "headers = 5\n",
    "option of another sink": IN + OUT + "tables = true\n",
    "option that is ours": IN + WEB + 'now = "x"\n',
    "token missing": IN + SPLUNK,
    "credential absent": IN + SPLUNK + 'token_env = "NO_SUCH"\n',
    "credential file absent": IN + SPLUNK + 'token_file = "{home}/none"\n',
    "credential file empty": IN + SPLUNK + 'token_file = "{home}/empty"\n',
    "credential twice": IN + SPLUNK + 'token_env = "A"\ntoken_file = "b"\n',
    "credential without TLS": IN + PLAIN + 'token_env = "HERE"\n',
    "certificates": IN + SPLUNK + 'token_env = "HERE"\nca_file = "{home}/none"\n',
    "address": IN + '[[sink]]\nuri = "webhook:ftp://x"\n',
    "address with a password": IN + '[[sink]]\nuri = "webhook:https://u:p@x.example/"\n',
    "format": IN + OUT + 'format = "leef"\n',
    "facility": IN + '[[sink]]\nuri = "syslog:udp://127.0.0.1:9"\nfacility = "mial"\n',
    "flush": IN + OUT + 'flush_s = "often"\n',
    "flush before it is due": IN + OUT + "flush_s = -1\n",
    "flush at no time": IN + OUT + "flush_s = nan\n",
    "rows of a part": IN + '[[sink]]\nuri = "parquet:{home}/lake"\ngroup_rows = 0\n',
    "timeout": IN + WEB + "timeout_s = -0.5\n",
    "sample": IN + OUT + "sample = {{allow = 0}}\n",
    "filter": IN + OUT + 'only = {{risk = "hihg"}}\n',
    "filter key": IN + OUT + 'only = {{tol = "x"}}\n',
    "decision": IN + OUT + 'except = {{decision = "denied"}}\n',
    "route to nothing": IN + OUT + '[[route]]\nto = "soc"\n',
    "route key": IN + OUT + '[[route]]\nevnt = "x"\nto = []\n',
    "alert without to": IN + OUT + '[[alert]]\nevery = "5m"\n',
    "alert question": IN + OUT + ALERT + 'question = "q"\n',
    "retention": IN + OUT + '[retention]\nmax_age = "long"\n',
}
GOOD = {
    "lines": IN + OUT,
    "lake": IN + '[[sink]]\nuri = "parquet:{home}/lake"\ntables = false\n',
    "sealed": f"seal = true\nseal_to = ['file:{{home}}/seals']\n{IN}{OUT}",
    "keys": 'hash_key_file = "{home}/key"\npseudonym_key_file = "{home}/key"\n' + IN + OUT,
    "hooks, too": 'log = "/var/log/agents/"\nkeep = 3\n' + IN + OUT,
    "state": 'state = "{home}/state/deep"\n' + IN + OUT,
    "filters": IN + OUT + 'only = {{risk = "high"}}\nsample = {{allow = 10}}\n',
    "alerts": IN + OUT + ALERT + 'path_env = "NO"\n',
    "a far end that is down": IN + WEB + 'token_env = "HERE"\n',
    "scripted": IN + '[[sink]]\nuri = "faulty:ok:jsonl:{home}/out"\n',
    "what others can read": IN + '[[sink]]\nuri = "webhook:http://127.0.0.1:9/services/T0/B0/x"\n',
}


def outcome(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, [str(word) for word in words])
    error = done.exception
    if error is None or isinstance(error, SystemExit):
        return done.exit_code, done.output
    assert isinstance(error, HookstreamError | SinkError), repr(error)
    return getattr(error, "code", 2), str(error)


@pytest.fixture
def home(tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HERE", "word-" * 3)
    return filled(tmp_path)


def filled(folder: Path) -> Path:
    """A folder with what the files below name."""
    (folder / "in").mkdir()
    line = json.dumps({"vendor": "claude-code", "payload": PROMPT})
    (folder / "in" / "a.jsonl").write_text(line + "\n")
    (folder / "taken" / "agent-hooks.jsonl").mkdir(parents=True)
    (folder / "delta" / "_delta_log").mkdir(parents=True)
    (folder / "delta" / "_delta_log" / f"{0:020}.json").write_text("{}\n")
    (folder / "foreign" / ".seal" / "agent-hooks.jsonl").mkdir(parents=True)
    (folder / "foreign" / ".seal" / "agent-hooks.jsonl" / "vkey").write_text(VKEY)
    (folder / "foreign" / ".seal" / "agent-hooks.jsonl" / "checkpoint").write_text("x")
    texts = {"file": "x", "empty": "", "short": "k", "key": "k" * 32, "open": "k" * 32}
    for name, text in texts.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o644 if name == "open" else 0o600)
    return folder


def written(home: Path, text: str) -> Path:
    file = home / "c.toml"
    plain = text.replace("{{", "{").replace("}}", "}").replace("{home}", str(home))
    file.write_text(plain)
    file.chmod(0o600)
    return file


def tree(*folders: Path) -> set[tuple[str, int]]:
    found = [one for folder in folders for one in folder.rglob("*")]
    return {(str(one), one.lstat().st_size) for one in found}


@pytest.mark.parametrize("name", BROKEN)
def test_check_refuses_what_run_refuses(name: str, home: Path) -> None:
    file = written(home, BROKEN[name])
    code, said = outcome("config", "check", file)
    refused, message = outcome("run", "--config", file)
    assert refused == 2
    assert code == refused
    assert message.removeprefix(f"{file}: ") in said
    assert "\n" not in message


@pytest.mark.parametrize("name", GOOD)
def test_check_passes_what_run_takes(name: str, home: Path, own_home: Path) -> None:
    file = written(home, GOOD[name])
    before = tree(home, own_home)
    code, said = outcome("config", "check", file)
    assert (code, tree(home, own_home)) == (0, before), said
    assert outcome("run", "--config", file)[0] in (0, 3)


@pytest.mark.parametrize("kind", ["absent", "a folder"])
def test_a_file_that_cannot_be_read(kind: str, home: Path) -> None:
    file = home / "c.toml"
    if kind == "a folder":
        file.mkdir()
    code, said = outcome("config", "check", file)
    assert (code, said) == outcome("run", "--config", file)
    assert code == 2


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="rights do not bind root")
def test_rights_of_folders(home: Path) -> None:
    (home / "closed").mkdir(mode=0o500)
    file = written(home, IN + '[[sink]]\nuri = "jsonl:{home}/closed/out"\n')
    assert outcome("config", "check", file)[0] == outcome("run", "--config", file)[0] == 2


def test_what_runs_and_may_not_be_meant_is_a_warning(home: Path) -> None:
    file = written(home, GOOD["what others can read"] + "token_env = 'HERE'\n")
    file.chmod(0o644)
    code, said = outcome("config", "check", file)
    assert code == 0 and "warning: sink[0].uri" in said
    file = written(home, BROKEN["source that is not there"])
    code, said = outcome("config", "check", "--follow", file)
    assert code == 0 and "warning: sources" in said


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("privcy = 'hash'\n" + IN + OUT, "no such key; did you mean privacy?"),
        (IN + SPLUNK + "token_evn = 'X'\n", "did you mean token_env?"),
        (IN + OUT + "only = {{tol = 'x'}}\n", "did you mean tool?"),
        (IN + "[[sink]]\nuri = 'spluk:https://x'\n", "did you mean splunk?"),
        (IN + OUT + "name = 'soc'\n[[route]]\nto = 'sok'\n", "did you mean soc?"),
    ],
)
def test_what_is_misspelt_is_answered_with_the_nearest_name(
    text: str, meant: str, home: Path
) -> None:
    assert meant in outcome("config", "check", written(home, text))[1]


NAMES = (*(one.name for one in SETTINGS if one.name not in ("state", "alert")), "privcy", "sorces")
SINK_KEYS = (
    "name", "standard", "flush_s", "only", "except", "sample", "format", "tables", "headers",
    "token", "token_env", "token_file", "fromat",
)  # fmt: skip
WORDS = st.sampled_from(
    ["hash", "redact", "hsh", "both", "codex", "off", "keyed", "email", "soc", "", "json", "ocsf",
     "{home}/in", "{home}/none", "{home}/key", "{home}/file", "git:{home}/in", "HERE", "0", "~"]
)  # fmt: skip
SIMPLE = st.one_of(WORDS, st.booleans(), st.integers(-1, 1 << 21), st.floats(0, 5))
VALUES = st.one_of(
    SIMPLE,
    st.lists(WORDS, max_size=2),
    st.dictionaries(st.sampled_from(["risk", "tool", "allow", "env", "file"]), SIMPLE, max_size=2),
)
URIS = st.sampled_from(
    ["jsonl:{home}/out", "parquet:{home}/lake", "cloudevents:{home}/ce", "jsonl:{home}/file/x",
     "jsonl:{home}/in", "jsonl:-", "spluk:x", "parquet:", "webhook:ftp://x", "elastic:http://x"]
)  # fmt: skip
# Most files have something to read and a sink, so that not all end at the first line.
FILES = st.tuples(
    st.sampled_from([["{home}/in"], ["{home}/in"], ["{home}/later"], ["{home}/in/*.jsonl"]]),
    st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=2),
    st.lists(
        st.tuples(URIS, st.dictionaries(st.sampled_from(SINK_KEYS), VALUES, max_size=2)),
        min_size=1,
        max_size=2,
    ),
)


def toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {toml(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def file_of(
    sources: list[str], settings: dict[str, Any], sinks: list[tuple[str, dict[str, Any]]]
) -> str:
    lines = [f"{name} = {toml(one)}" for name, one in ({"sources": sources} | settings).items()]
    for uri, options in sinks:
        lines += ["[[sink]]", *(f"{name} = {toml(one)}" for name, one in options.items())]
        lines.append(f"uri = {toml(uri)}")
    return "\n".join(lines) + "\n"


@pytest.mark.long
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(FILES)
def test_check_and_run_agree_about_any_file(
    tmp_path_factory: pytest.TempPathFactory, own_home: Path, made: Any
) -> None:
    home = filled(tmp_path_factory.mktemp("any"))
    file = home / "c.toml"
    file.write_text(file_of(*made).replace("{home}", str(home)))
    file.chmod(0o600)
    before = tree(home)
    code, said = outcome("config", "check", file)
    assert tree(home) == before
    refused, message = outcome("run", "--config", file)
    event(f"refused: {refused == 2}")
    if code == 0:
        assert refused in (0, 3), message
    else:
        assert code == refused == 2, (said, message)
        assert message.removeprefix(f"{file}: ") in said


def test_a_check_warns_of_a_credential_that_others_can_read(tmp_path: Path) -> None:
    """It is used: containers mount secrets so."""
    token = tmp_path / "token"
    token.write_text("t" * 20)
    config = tmp_path / "c.toml"
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "log.jsonl").write_text("{}\n")
    config.write_text(IN.format(home=tmp_path) + SPLUNK + f'token_file = "{token}"\n')
    for mode, warns in ((0o644, True), (0o600, False)):
        token.chmod(mode)
        text = CliRunner().invoke(app, ["config", "check", str(config)]).output
        assert (f"sink[0].token_file: {token}: others can read it; chmod 600" in text) is warns
