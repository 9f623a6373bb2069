"""OCSF 1.9.0: an action in the class of what it does, the agent in the profile `ai_operation`.

A shell command is Process Activity, a file File System Activity, an address HTTP Activity; MCP and
other tools, prompts, answers and compactions are API Activity; sessions Application Lifecycle, a
permission mode Authorize Session, a rule's find Detection Finding. A decision is in the profile
`security_control`; a status says what the action returned, never what was decided.
No `delegation` is written: hooks have none that an authority issued.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import SplitResult, urlsplit

from hookstream.core.decisions import EVERYTHING, runs_unasked
from hookstream.core.event import Event
from hookstream.core.jsons import JsonObject, canonical
from hookstream.core.times import micros
from hookstream.shell.reading import lone_program
from hookstream.sinks.formats.attributes import attributes, is_refusal, model
from hookstream.sinks.formats.trace import trace_id
from hookstream.sinks.formats.words import millis, sentence
from hookstream.standards.agent_hooks import SPEC_VERSION
from hookstream.version import __version__

VERSION = "1.9.0"
FILE, PROCESS, FINDING, AUTHORIZE, HTTP = 1001, 1007, 2004, 3003, 4002
LIFECYCLE, API, ERROR = 6002, 6003, 6008
# class -> its caption, its category
CLASSES = {
    FILE: ("File System Activity", "System Activity"),
    PROCESS: ("Process Activity", "System Activity"),
    FINDING: ("Detection Finding", "Findings"),
    AUTHORIZE: ("Authorize Session", "Identity & Access Management"),
    HTTP: ("HTTP Activity", "Network Activity"),
    LIFECYCLE: ("Application Lifecycle", "Application Activity"),
    API: ("API Activity", "Application Activity"),
    ERROR: ("Application Error", "Application Activity"),
}
TRACED = (HTTP, API)
LAUNCH, TERMINATE = (1, "Launch"), (2, "Terminate")
SHELLS = ("shell", "package_install", "code_exec")
FILES = {
    "file_read": (2, "Read"),
    "file_write": (1, "Create"),
    "file_edit": (3, "Update"),
    "file_delete": (4, "Delete"),
}
# event type -> class, activity and its caption; those of API Activity are the words of the working
# group's draft of a class for agents
OTHERS = {
    "Session.Start": (LIFECYCLE, 3, "Start"),
    "Session.End": (LIFECYCLE, 4, "Stop"),
    "Session.Abort": (LIFECYCLE, 4, "Stop"),
    "Agent.Error": (ERROR, 1, "General Error"),
    "Model.Failed": (ERROR, 1, "General Error"),
    "Prompt.Submitted": (API, 99, "User Prompt Submit"),
    "Agent.Response": (API, 99, "Model Response"),
    "Model.Requested": (API, 99, "Model Request"),
    "Model.Responded": (API, 99, "Model Response"),
    "Agent.Plan.Start": (API, 99, "Subagent Start"),
    "Agent.Plan.End": (API, 99, "Subagent Stop"),
    "Context.Compaction": (API, 99, "Compact"),
    "Context.UntilCompaction": (API, 99, "Context Usage"),
    "Retry.Triggered": (API, 99, "Retry"),
}
FINDINGS = frozenset(
    "Policy.Violation Policy.Blocked Policy.Override Retry.Loop.Detected Retry.Loop.Aborted".split()
)
RAN = ("ok", "error", "timeout")
SEVERITY = {
    None: (1, "Informational"),
    "low": (2, "Low"),
    "medium": (3, "Medium"),
    "high": (4, "High"),
    "critical": (5, "Critical"),
}
RISK = {
    "low": (1, "Low"),
    "medium": (2, "Medium"),
    "high": (3, "High"),
    "critical": (4, "Critical"),
}
# decision -> action and disposition
CONTROL = {
    "allow": (1, "Allowed", 1, "Allowed"),
    "deny": (2, "Denied", 2, "Blocked"),
    "ask": (3, "Observed", 23, "Challenge"),
}
# A verdict that nothing carried out
DETECTED = (3, "Observed", 15, "Detected")
APPROVED = (1, "Allowed", 8, "Approved")
MODIFIED = (4, "Modified", 11, "Corrected")
UNKNOWN = (3, "Observed", 17, "Logged")
ROLES = {"Prompt": (1, "User"), "Agent": (2, "Assistant"), "Model": (2, "Assistant")}
TOOL_ROLE = (3, "Tool")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d)|//")
TARGETS = ("command", "file_path", "url", "query")
FRAMEWORKS = {"langchain": (2, "LangChain"), "autogen": (3, "AutoGen"), "crewai": (4, "CrewAI")}
USER, DEVICE = (31, "User Object: uid"), (47, "Device Object: uid")
COMMAND, PATH, ADDRESS = (13, "Command Line"), (45, "File Path"), (6, "URL String")
# object (of a resource its type), attribute -> the type of observable that the schema makes it
OBSERVED = {
    ("user", "uid"): USER,
    ("device", "uid"): DEVICE,
    ("process", "name"): (9, "Process Name"),
    ("process", "cmd_line"): COMMAND,
    ("file", "name"): (7, "File Name"),
    ("file", "path"): PATH,
    ("url", "hostname"): (1, "Hostname"),
    ("url", "url_string"): ADDRESS,
    ("command", "name"): COMMAND,
    ("file_path", "name"): PATH,
    ("url", "name"): ADDRESS,
}
# in any spelling
# names of our attributes that have a place in every class
PLACED = frozenset(
    "agent_hooks.event_type agent_hooks.spec_version agent_hooks.decision.outcome "
    "agent_hooks.decision.reason agent_hooks.result.success agent_hooks.risk.score "
    "agent_hooks.risk.level agent_hooks.risk.factors hookstream.sequence hookstream.duration_ms "
    "hookstream.matched_rule_id hookstream.vendor".split()
)


def ocsf(event: Event, *, arguments: bool = True) -> JsonObject:
    """The event as an OCSF object; command lines, paths and addresses with `arguments` alone.
    ValueError if it has no time that can be read."""
    class_uid, activity, caption = activity_of(event, arguments)
    made = _base(event, class_uid, activity, caption)
    if class_uid in TRACED:
        made["trace"] = {"uid": trace_id(event).hex()}
    if class_uid == FINDING:
        return searchable(made | _finding(event, arguments))
    made["actor"] = actor(event)
    made["device"] = device(event)
    made["ai_agent"] = agent(event)
    if class_uid == PROCESS:
        made["process"] = process(event, arguments)
        if event.facts.get("exit_code") is not None:
            made["exit_code"] = event.facts["exit_code"]
    elif class_uid == FILE:
        made["file"] = file(event)
    elif class_uid == HTTP:
        made["http_request"] = request = _request(event)
        host = {
            name: request["url"][name] for name in ("hostname", "port") if name in request["url"]
        }
        if host:
            made["dst_endpoint"] = host
        made["src_endpoint"] = source(event)
    elif class_uid == LIFECYCLE:
        made["application"] = application(event)
    elif class_uid == API:
        made["api"] = api(event)
        made["src_endpoint"] = source(event)
        made["message_context"] = _message(event)
        made.update(targets(event) if arguments else {})
    return searchable(made)


def mode_change(event: Event) -> JsonObject:
    """The permission mode that the event's session has from here on, as Authorize Session."""
    facts = event.facts
    mode = facts["permission_mode"]
    made = _base(event, AUTHORIZE, 1, "Assign Privileges")
    made["metadata"]["uid"] = f"{facts['event_id']}/permission_mode"
    made["metadata"]["original_event_uid"] = facts["event_id"]
    made["message"] = f"permission mode {mode}"
    if runs_unasked(event.vendor, mode) == EVERYTHING:
        made["severity_id"], made["severity"] = SEVERITY["medium"]
    made["unmapped"] = {"agent_hooks.event_type": event.type}
    for name in ("duration", "status_id", "status", "status_detail"):
        made.pop(name, None)
    user = facts.get("user_id")
    if user is None:
        made["unmapped"]["hookstream.synthesized"] = ["user"]
    made |= {"actor": actor(event), "device": device(event), "ai_agent": agent(event)}
    return searchable(made) | {
        "user": {"uid": user or "unknown"},
        "session": {"uid": facts["session_id"]},
        "privileges": [f"permission_mode:{mode}"],
    }


def activity_of(event: Event, arguments: bool) -> tuple[int, int, str]:
    """(class, activity, its caption). Without arguments a file and an address have no name, which
    their classes require: they are calls of a tool."""
    facts = event.facts
    if not is_about_action(event):
        if event.type in FINDINGS:
            return FINDING, 1, "Create"
        if event.type == "Agent.Notification" and "call_id" in facts:
            return API, 99, "Permission Request"
        return OTHERS.get(event.type, (API, 99, event.type))
    category = facts.get("action_category")
    if category in SHELLS and (category == "shell" or facts.get("command")):
        return PROCESS, *_process_activity(event)
    if arguments and category in FILES and facts.get("file_path"):
        return FILE, *FILES[category]
    if arguments and category == "web_request" and facts.get("url"):
        return HTTP, 0, "Unknown"
    return API, 99, "Invoke"


def is_about_action(event: Event) -> bool:
    """Return whether the event is of a call: its begin, its end, or a verdict on it."""
    facts = event.facts
    if event.type.startswith("Action."):
        return True
    verdict = event.type in ("Policy.Blocked", "Policy.Override") or (
        event.type.startswith("vendor.") and facts.get("decision") is not None
    )
    return verdict and facts.get("subject", "action") == "action" and "action_category" in facts


def _process_activity(event: Event) -> tuple[int, str]:
    """Launch before and for each verdict, Terminate only of what ran."""
    if event.type != "Action.After":
        return LAUNCH
    facts = event.facts
    outcome = facts.get("outcome")
    if outcome in RAN or (outcome is None and facts.get("exit_code") is not None):
        return TERMINATE
    return LAUNCH if outcome == "denied" else (0, "Unknown")


def _base(event: Event, class_uid: int, activity: int, caption: str) -> JsonObject:
    facts = event.facts
    class_name, category = CLASSES[class_uid]
    level = event.risk[1] if event.risk else None
    grave, grave_caption = SEVERITY.get(level, (0, "Unknown"))
    fields: JsonObject = {
        "class_uid": class_uid,
        "class_name": class_name,
        "category_uid": class_uid // 1000,
        "category_name": category,
        "activity_id": activity,
        "activity_name": caption,
        "type_uid": class_uid * 100 + activity,
        "type_name": f"{class_name}: {caption if activity != 99 else 'Other'}",
        "time": millis(facts["timestamp"]),
        "severity_id": grave,
        "severity": grave_caption,
        "message": sentence(event),
        "metadata": _metadata(event, class_uid),
        "unmapped": _unmapped(event, class_uid),
    }
    fields.update(_status(event, class_uid))
    fields.update(_control(event) if _is_controlled(event) else {})
    return fields


def _metadata(event: Event, class_uid: int) -> JsonObject:
    facts = event.facts
    profiles = [] if class_uid == FINDING else ["ai_operation"]
    if class_uid not in (PROCESS, FILE, FINDING):
        profiles.append("host")
    if class_uid in TRACED:
        profiles.append("trace")
    if _is_controlled(event):
        profiles.append("security_control")
    fields: JsonObject = {
        "version": VERSION,
        "product": {"name": "hookstream", "vendor_name": "hookstream", "version": __version__},
        "uid": facts["event_id"],
        "event_code": event.type,
        "log_name": "agent_hooks",
        "log_version": SPEC_VERSION,
        "log_provider": event.vendor,
        "original_time": facts["timestamp"],
        "profiles": profiles,
    }
    return fields | stamps(facts)


def stamps(facts: JsonObject) -> JsonObject:
    """The metadata that not every event has: its receipt, its call and its number."""
    fields: JsonObject = {}
    received = micros(facts.get("received_at"))
    if received is not None:
        fields["logged_time"] = received // 1000
    for name, fact in (("correlation_uid", "call_id"), ("sequence", "sequence")):
        if facts.get(fact) is not None:
            fields[name] = facts[fact]
    return fields


def _unmapped(event: Event, class_uid: int) -> JsonObject:
    """Our attributes that have no place in the class."""
    flat = attributes(event, aarts=False, arguments=False)
    own = {
        name: value
        for name, value in flat.items()
        if name.startswith(("agent_hooks.", "hookstream.")) and name not in PLACED
    }
    if class_uid != API or is_about_action(event):
        own |= {name: n for name, n in flat.items() if name.startswith("gen_ai.usage.")}
    else:
        own |= {name: n for name, n in flat.items() if ".cache_" in name}
    if _sub_agent(event):
        own.pop("hookstream.agent_type", None)
    is_mcp = capability(event.facts) is not None
    if class_uid == FINDING:
        own.pop("hookstream.about", None)
    elif (class_uid != API or is_mcp) and "gen_ai.tool.name" in flat:
        own["gen_ai.tool.name"] = flat["gen_ai.tool.name"]
    if class_uid in (API, FINDING) and is_mcp:
        own.pop("hookstream.mcp_server")
    return own if ai_model(event) else own | model(event)


def _status(event: Event, class_uid: int) -> JsonObject:
    facts = event.facts
    fields: JsonObject = {}
    if facts.get("duration_ms") is not None:
        fields["duration"] = int(facts["duration_ms"])
    failed = class_uid == ERROR or facts.get("outcome") == "denied" or facts.get("success") is False
    if class_uid != FINDING and (failed or facts.get("success") is not None):
        fields["status_id"], fields["status"] = (2, "Failure") if failed else (1, "Success")
    detail = facts.get("error_message") or facts.get("decision_reason") or facts.get("message")
    if class_uid == LIFECYCLE:
        reasons = ("start_reason", "end_reason", "abort_reason")
        detail = next((facts[name] for name in reasons if facts.get(name)), detail)
    if detail and class_uid != FINDING:
        fields["status_detail"] = detail
    code = facts.get("error_type") or facts.get("error_code")
    if code and class_uid == ERROR:
        fields["status_code"] = code
    return fields


def actor(event: Event) -> JsonObject:
    """The actor: the application with its session and user; of a sub-agent, the agent that started
    it too."""
    facts = event.facts
    fields: JsonObject = {
        "application": application(event),
        "session": {"uid": facts["session_id"]},
    }
    if "user_id" in facts:
        fields["user"] = {"uid": facts["user_id"]}
    sub_agent = _sub_agent(event)
    if sub_agent and event.type not in FINDINGS:
        session = "parent_session_id" if sub_agent == facts["session_id"] else "session_id"
        starter = facts.get("parent_agent_id") or facts[session]
        above = {"uid": facts["tool"], "name": facts["tool"], "instance_uid": starter}
        fields["process"] = {"uid": starter, "name": facts["tool"], "ai_agent": above}
    return fields


def application(event: Event) -> JsonObject:
    facts = event.facts
    fields = {"uid": facts["tool"], "name": facts["tool"]}
    if "tool_version" in facts:
        fields["version"] = facts["tool_version"]
    return fields


def _sub_agent(event: Event) -> str | None:
    """The id of the sub-agent that the event is of, which is its session's where another session
    started that; None of an agent that no agent started."""
    facts = event.facts
    session: str = facts["session_id"]
    agent_id: str = facts.get("agent_id") or facts.get("child_session_id") or session
    is_own = agent_id == session and facts.get("parent_session_id") in (None, session)
    return None if is_own else agent_id


def agent(event: Event) -> JsonObject:
    """The AI agent: the client, as the instance that its session or its sub-agent is."""
    facts = event.facts
    fields: JsonObject = {"uid": facts["tool"], "name": facts["tool"]}
    sub_agent = _sub_agent(event)
    fields["instance_uid"] = sub_agent or facts["session_id"]
    if sub_agent and facts.get("agent_type"):
        fields["uid"], fields["name"] = (
            f"{facts['tool']}/{facts['agent_type']}",
            facts["agent_type"],
        )
    fields["type_id"], fields["type"] = FRAMEWORKS.get(facts["tool"], (1, "Native"))
    if "tool_version" in facts:
        fields["version"] = facts["tool_version"]
    return fields | ai_model(event)


def ai_model(event: Event) -> JsonObject:
    """The model, where its provider is known."""
    known = model(event)
    if "gen_ai.provider.name" not in known:
        return {}
    name = known.get("gen_ai.request.model") or known["gen_ai.response.model"]
    return {"ai_model": {"name": name, "ai_provider": known["gen_ai.provider.name"]}}


def device(event: Event) -> JsonObject:
    """The machine, by its pseudonym; without one the device is there and unknown."""
    name = event.facts.get("machine_id")
    fields = {"uid": name} if name else {"instance_uid": "unknown"}
    return {"type_id": 0, "type": "Unknown", **fields}


def source(event: Event) -> JsonObject:
    """The endpoint that called: the agent, on a machine known by its pseudonym or not at all."""
    fields = {"svc_name": event.facts["tool"]}
    if "machine_id" in event.facts:
        fields["uid"] = event.facts["machine_id"]
    return fields


def process(event: Event, arguments: bool) -> JsonObject:
    """The process of a command: one for all events of a call, by the session and the call's id."""
    facts = event.facts
    call = facts.get("call_id") or facts.get("about") or facts["event_id"]
    fields: JsonObject = {"uid": f"{facts['session_id']}/{call}"}
    command = facts.get("command")
    program = lone_program(command) if command else None
    if program:
        fields["name"] = program
    if arguments and command:
        fields["cmd_line"] = command
        if facts.get("cwd"):
            fields["working_directory"] = facts["cwd"]
    return fields


def file(event: Event) -> JsonObject:
    path = event.facts["file_path"]
    name = posixpath.basename(path.replace("\\", "/").rstrip("/"))
    return {"name": name or path, "path": path, "type_id": 1, "type": "Regular File"}


def _request(event: Event) -> JsonObject:
    facts = event.facts
    fields: JsonObject = {"url": {"url_string": facts["url"]}}
    if facts.get("call_id"):
        fields["uid"] = facts["call_id"]
    fields["url"] |= parts_of(facts["url"])
    return fields


def parts_of(url: str) -> JsonObject:
    """The parts of an address; one without a scheme begins with its host, as people write it."""
    try:
        parts = urlsplit(url if SCHEME.match(url) else f"//{url}")
    except ValueError:
        return {}
    with suppress(ValueError):  # not a port
        if parts.port:
            return _named(parts) | {"port": parts.port}
    return _named(parts)


def _named(parts: SplitResult) -> JsonObject:
    names = {
        "scheme": parts.scheme,
        "hostname": parts.hostname,
        "path": parts.path,
        "query_string": parts.query,
    }
    return {name: value for name, value in names.items() if value}


def api(event: Event) -> JsonObject:
    """The call of a tool: of an MCP server by the protocol's method, with the tool as service."""
    facts = event.facts
    tool = facts.get("action_native") or facts.get("action_name")
    fields: JsonObject = {"operation": tool or event.type, "service": {"name": facts["tool"]}}
    uid = capability(facts)
    if uid:
        fields["operation"] = "tools/call"
        fields["service"] = {"name": facts["action_name"].removeprefix("mcp:"), "uid": uid}
    if "call_id" in facts:
        fields["request"] = {"uid": facts["call_id"]}
    return fields | response(facts)


def capability(facts: JsonObject) -> str | None:
    """A tool as SERVER/TOOL, by the name that its MCP server gives it; None of other tools."""
    server, tool = facts.get("mcp_server"), facts.get("action_name")
    return f"{server}/{tool.removeprefix('mcp:')}" if server and tool else None


def response(facts: JsonObject) -> JsonObject:
    """The result of a call: its exit code, the type of its error."""
    fields = {"code": facts.get("exit_code"), "error": facts.get("error_type") or None}
    told = {name: value for name, value in fields.items() if value is not None}
    return {"response": told} if told else {}


def _message(event: Event) -> JsonObject:
    facts = event.facts
    role = TOOL_ROLE if "action_name" in facts else ROLES.get(event.type.partition(".")[0])
    fields: JsonObject = {"application": application(event)}
    if role is not None:
        fields["ai_role_id"], fields["ai_role"] = role
    for name, fact in (
        ("uid", "message_id"),
        ("prompt_tokens", "input_tokens"),
        ("completion_tokens", "output_tokens"),
        ("total_tokens", "total_tokens"),
        ("prompt_text", "prompt"),
        ("response_text", "response"),
    ):
        value = facts.get(fact)
        if value is not None:
            fields[name] = value if type(value) in (str, int) else canonical(value).decode("utf-8")
    return fields


def targets(event: Event) -> JsonObject:
    """The targets of a call as resources; values are those the privacy stage let through."""
    facts = event.facts
    resources = [{"type": kind, "name": facts[kind]} for kind in TARGETS if facts.get(kind)]
    return {"resources": resources} if resources else {}


def searchable(document: JsonObject) -> JsonObject:
    """The document with what a search over all classes looks for."""
    found = list(_observables(document))
    return document | {"observables": found} if found else document


def _observables(document: JsonObject, kind: str = "", path: str = "") -> Iterator[JsonObject]:
    for name, value in document.items():
        type_id, caption = OBSERVED.get((kind, name), (None, ""))
        if type_id:
            yield {"name": path + name, "value": value, "type_id": type_id, "type": caption}
        parts = value if type(value) is list else [value]
        for part in parts:
            if type(part) is dict:
                inside = part["type"] if name == "resources" else name
                mark = "[]." if part is not value else "."
                yield from _observables(part, inside, f"{path}{name}{mark}")


def _is_controlled(event: Event) -> bool:
    """Return whether the Security Control profile applies: a verdict, or a risk, which it has."""
    return (
        event.facts.get("decision") is not None
        or event.risk is not None
        or event.type in FINDINGS
        or is_asked(event)
    )


def is_asked(event: Event) -> bool:
    return event.type == "Agent.Notification" and "call_id" in event.facts


def words_of(event: Event) -> tuple[int, str, int, str] | None:
    """Action and disposition with their captions; None where nothing was decided."""
    facts = event.facts
    if facts.get("modified") is True:
        return MODIFIED
    decision = facts.get("decision")
    if (decision == "deny" and not is_refusal(event)) or facts.get("enforced") is False:
        return DETECTED
    if event.type == "Policy.Override" or (
        decision == "allow" and facts.get("decided_by") == "user"
    ):
        return APPROVED
    return CONTROL["ask"] if is_asked(event) else CONTROL.get(decision or "")


def _control(event: Event) -> JsonObject:
    facts = event.facts
    fields: JsonObject = {}
    words = words_of(event)
    if words is not None:
        fields["action_id"], fields["action"], fields["disposition_id"], fields["disposition"] = (
            words
        )
    elif event.type in FINDINGS:
        fields["disposition_id"], fields["disposition"] = DETECTED[2:]
    level = event.risk[1] if event.risk else None
    fields.update(risk(event))
    if event.risk is not None and event.risk[2]:
        fields["risk_details"] = ", ".join(event.risk[2])
    fields["is_alert"] = event.type in FINDINGS or level in ("high", "critical")
    fields.update(_policy(event, words))
    if facts.get("decision") == "deny" and is_refusal(event):
        fields.update(status_id=2, status="Failure", status_code="denied")
    return fields


def risk(event: Event) -> JsonObject:
    """The score of an event's risk and its level; empty without one."""
    if event.risk is None:
        return {}
    fields: JsonObject = {"risk_score": event.risk[0]}
    if event.risk[1] in RISK:
        fields["risk_level_id"], fields["risk_level"] = RISK[event.risk[1]]
    return fields


def _policy(event: Event, words: tuple[int, str, int, str] | None) -> JsonObject:
    facts = event.facts
    name = facts.get("matched_rule_id") or facts.get("policy_id")
    if not name:
        return {}
    policy: JsonObject = {"uid": facts.get("policy_id") or name, "name": name}
    if words is not None:
        policy["is_applied"] = words != DETECTED
    if facts.get("policy_version"):
        policy["version"] = facts["policy_version"]
    return {"policy": policy}


def _finding(event: Event, arguments: bool) -> JsonObject:
    facts = event.facts
    info: JsonObject = {
        "uid": facts["event_id"],
        "title": facts.get("message") or sentence(event),
        "types": [event.type],
        "created_time": millis(facts["timestamp"]),
        "product": {"name": "hookstream", "version": __version__},
    }
    if facts.get("matched_rule_id"):
        rule = facts["matched_rule_id"]
        info["analytic"] = {"uid": rule, "name": rule, "type_id": 1, "type": "Rule"}
    elif event.type.startswith("Retry."):
        info["analytic"] = {"name": "retry loop", "type_id": 2, "type": "Behavioral"}
    if facts.get("about"):
        info["related_events"] = [{"uid": facts["about"]}]
    if facts.get("decision_reason"):
        info["desc"] = facts["decision_reason"]
    evidence: JsonObject = {"actor": actor(event), "ai_agent": agent(event), "api": api(event)}
    evidence["device"] = device(event)
    if facts.get("action_category") in SHELLS or facts.get("command"):
        evidence["process"] = process(event, arguments)
    if arguments and facts.get("file_path"):
        evidence["file"] = file(event)
    if arguments and facts.get("url"):
        evidence["url"] = _request(event)["url"]
    return {"finding_info": info, "status_id": 1, "status": "New", "evidences": [evidence]}
