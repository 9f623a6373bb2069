"""Rows of Sentinel's AgentEvent and events of Google SecOps, sent to receivers that refuse what the
owners refuse; and tokens that are renewed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from hookstream.core.errors import SinkError
from hookstream.core.event import EVENT_TYPES
from hookstream.sinks import open_sink
from hookstream.sinks.formats.asim import asim
from hookstream.sinks.formats.udm import udm
from hookstream.standards.agent_hooks_reader import read_agent_hooks

from .events import rendered, rich, shell, stream
from .ocsf_events import DECISIONS, bare
from .receivers import Receiver, Request, serve

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
# The columns of vimAgentEventEmpty, AgentEvent 1.0.0, with their types
TEXTS = """EventUid EventOriginalUid EventSchema EventSchemaVersion EventVendor EventProduct
ToolName ToolId ToolDescription
ToolOriginalType SrcAgentId SrcAgentName TargetAgentId TargetAgentName
PlatformTargetAgentId PlatformTargetAgentName ActorUserId ActorUserIdType ActingAppName ActingAppId
ActingAppType EventSessionId EventType EventOriginalType EventRequestId EventResponseId
EventOriginalRequestDetails EventOriginalResultDetails EventErrorDetails EventOriginalErrorType
ModelProviderName ModelName""".split()
COLUMNS = {
    **dict.fromkeys(TEXTS, str),
    **dict.fromkeys(("TimeGenerated", "EventStartTime", "EventEndTime"), str),
    **dict.fromkeys(("EventCount", "InputTokensUsed", "OutputTokensUsed"), int),
    "AdditionalFields": dict,
}
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z")
NOUNS = {"metadata", "principal", "target", "network", "security_result", "additional"}
LOCATED = "PROCESS_LAUNCH PROCESS_TERMINATION FILE_CREATION FILE_READ".split()
TYPES = {*LOCATED, "FILE_MODIFICATION", "FILE_DELETION", "USER_RESOURCE_ACCESS", "GENERIC_EVENT"}
VERDICTS = {"ALLOW", "BLOCK", "ALLOW_WITH_MODIFICATION", "CHALLENGE", "UNKNOWN_ACTION"}


def row_flaws(row: dict[str, Any]) -> list[str]:
    wrong = [name for name, value in row.items() if type(value) is not COLUMNS.get(name)]
    required = ("TimeGenerated", "EventUid", "EventType", "EventSchema")
    wrong += [name for name in required if not row.get(name)]
    return wrong + [name for name in row if name.endswith("Time") and not TIME.match(row[name])]


def udm_flaws(event: dict[str, Any]) -> list[str]:
    wrong = [name for name in event if name not in NOUNS]
    about = event["metadata"]
    if about["event_type"] not in TYPES or not TIME.match(about["event_timestamp"]):
        wrong.append("metadata")
    if about["event_type"] in LOCATED and "asset_id" not in event["principal"]:
        wrong.append("principal")
    for result in event.get("security_result", ()):
        wrong += [word for word in result.get("action", ()) if word not in VERDICTS]
    return wrong


def every_line() -> list[Any]:
    made = []
    for path in sorted(SAMPLES.glob("*/*.expected.jsonl")):
        for line in path.read_bytes().splitlines():
            given = json.loads(line)
            if "agent_hooks" in given:
                made.append(read_agent_hooks(given["agent_hooks"]))
    return made


def test_every_sample_is_a_row_and_an_event() -> None:
    events = every_line()
    assert len(events) > 1000
    for event in events:
        assert row_flaws(asim(event, arguments=True)) == []
        assert udm_flaws(udm(event, arguments=True)["udm"]) == []


@pytest.mark.parametrize("kind", EVENT_TYPES)
def test_every_type_and_decision(kind: str) -> None:
    for facts in DECISIONS:
        event = bare(kind, machine_id="m-1", action_category="shell", command="ls", **facts)
        assert row_flaws(asim(event, arguments=True)) == []
        assert udm_flaws(udm(event, arguments=True)["udm"]) == []


def test_a_denied_command() -> None:
    facts = {"decision": "deny", "matched_rule_id": "Bash(curl:*)", "decision_reason": "no"}
    event = bare(
        "Policy.Blocked",
        machine_id="m-1",
        action_category="shell",
        action_native="Bash",
        command="curl x",
        subject="action",
        **facts,
    )
    row = asim(event, arguments=True)
    assert (row["EventOriginalErrorType"], row["EventErrorDetails"]) == ("denied", "no")
    assert row["EventOriginalRequestDetails"] == "curl x"
    assert row["AdditionalFields"]["decision"] == "deny"
    told = udm(event, arguments=True)["udm"]
    assert told["metadata"]["event_type"] == "PROCESS_LAUNCH"
    assert told["target"]["process"]["command_line"] == "curl x"
    assert told["security_result"][0]["action"] == ["BLOCK"]
    assert told["security_result"][0]["rule_id"] == "Bash(curl:*)"
    assert told["security_result"][0]["severity"] == "MEDIUM"
    assert row["EventType"] == "ExecuteTool"
    asked = udm(bare("Agent.Notification", call_id="c", command="curl x"), arguments=True)["udm"]
    assert asked["security_result"][0]["action"] == ["CHALLENGE"]
    assert asked["target"]["process"]["command_line"] == "curl x"


def test_arguments_stay_here_if_told_so() -> None:
    event = shell(1, command="cat /srv/ledger")
    assert "ledger" not in json.dumps(asim(event, arguments=False))
    assert "ledger" not in json.dumps(udm(event, arguments=False))


def sentinel(request: Request) -> Any:
    """Refuse as the Logs Ingestion API does: by address, type, size and columns."""
    if not re.fullmatch(r"/dataCollectionRules/dcr-\w+/streams/Custom-\w+\?\S+", request.path):
        return 404, {}, b""
    if request.headers.get("content-type") != "application/json" or len(request.body) > 1 << 20:
        return 413, {}, b""
    rows = json.loads(request.body)
    good = type(rows) is list and not any(row_flaws(row) for row in rows)
    return (204 if good else 400), {}, b""


def secops(request: Request) -> Any:
    told = json.loads(request.body)
    events = told["inline_source"]["events"]
    good = not any(set(one) != {"udm"} or udm_flaws(one["udm"]) for one in events)
    return (200 if good else 400), {}, b"{}"


RULE = "/dataCollectionRules/dcr-1/streams/Custom-HookstreamAgent_CL?api-version=2023-01-01"


@pytest.mark.parametrize(
    ("format", "answer", "path"),
    [("asim", sentinel, RULE), ("udm", secops, "/v1/events:import")],
)
def test_a_receiver_takes_all_in_arrays(format: str, answer: Any, path: str) -> None:
    with serve(Receiver(answer)) as far:
        sink = open_sink(f"webhook:{far.url(path)}", format=format)
        receipts = sink.write(rendered([*rich(), *stream(600)]))
        sink.close()
    assert {one.status for one in receipts} == {"delivered"}
    assert len(far.requests) > 1


def test_an_array_is_no_lines() -> None:
    with pytest.raises(SinkError, match="asim takes the body json or single"):
        open_sink("webhook:https://x.example/", format="asim", body="ndjson")


class Issuer:
    """An address of tokens, each for an hour; and a receiver that takes the last one alone."""

    def __init__(self) -> None:
        self.forms: list[dict[str, str]] = []
        self.refuse_next = False

    def __call__(self, request: Request) -> Any:
        from urllib.parse import parse_qsl

        if request.path == "/token":
            self.forms.append(dict(parse_qsl(request.body.decode())))
            made = {"access_token": f"t{len(self.forms)}", "expires_in": 3600}
            return 200, {}, json.dumps(made).encode()
        if self.refuse_next or request.headers.get("authorization") != f"Bearer t{len(self.forms)}":
            self.refuse_next = False
            return 401, {}, b""
        return 200, {}, b""


def test_a_token_is_asked_for_once_and_again_when_it_is_refused() -> None:
    issuer = Issuer()
    word = "client-" + "secret"
    with serve(Receiver(issuer)) as far:
        sink = open_sink(
            f"webhook:{far.url('/in')}",
            oauth={
                "token_url": far.url("/token"),
                "client_id": "c",
                "client_secret": word,
                "scope": "https://monitor.azure.com//.default",
            },
        )
        for number in range(3):
            assert sink.write(rendered(stream(number + 1, number)))[0].status == "delivered"
        assert len(issuer.forms) == 1
        issuer.refuse_next = True
        assert sink.write(rendered(stream(5, 4)))[0].status == "retry"
        assert sink.write(rendered(stream(5, 4)))[0].status == "delivered"
        sink.close()
    assert len(issuer.forms) == 2
    assert issuer.forms[0]["grant_type"] == "client_credentials"
    assert issuer.forms[0]["client_secret"] == word


def test_a_service_account_signs_its_question() -> None:
    issuer = Issuer()
    key = generate_private_key(65537, 2048)
    assert isinstance(key, RSAPrivateKey)
    text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    with serve(Receiver(issuer)) as far:
        account = {
            "client_email": "a@p.example",
            "token_uri": far.url("/token"),
            "private_key": text,
        }
        given = {"service_account": json.dumps(account), "scope": "s"}
        sink = open_sink(f"webhook:{far.url('/in')}", oauth=given)
        assert sink.write(rendered(stream(1)))[0].status == "delivered"
        sink.close()
    from base64 import urlsafe_b64decode

    head, claims, signature = issuer.forms[0]["assertion"].split(".")
    made = urlsafe_b64decode(signature + "==")
    key.public_key().verify(made, f"{head}.{claims}".encode(), PKCS1v15(), SHA256())
    told = json.loads(urlsafe_b64decode(claims + "=="))
    assert (told["iss"], told["scope"], told["exp"] - told["iat"]) == ("a@p.example", "s", 3600)


@pytest.mark.parametrize(
    ("oauth", "said"),
    [
        ({"token_url": "https://x.example"}, "oauth needs token_url"),
        ({"service_account": "{}", "scope": "s"}, "not the key file"),
    ],
)
def test_what_is_no_oauth_is_said(oauth: dict[str, str], said: str) -> None:
    with pytest.raises(SinkError, match=said):
        open_sink("webhook:https://x.example/", oauth=oauth)
    full = dict.fromkeys(("client_id", "client_secret", "scope"), "x")
    with pytest.raises(SinkError, match="https only"):
        open_sink("webhook:https://x.example/", oauth={**full, "token_url": "http://x.example/t"})
