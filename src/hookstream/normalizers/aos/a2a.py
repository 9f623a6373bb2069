"""Messages between agents (A2A) that an AOS or ACS envelope carries, or that come alone.

Sources: the guides of AOS 0.1.0, Joch's names of the methods, the specifications of A2A 0.2 to 1.0.
A request without `jsonrpc` in its params is the message itself.
"""

from __future__ import annotations

import re

from hookstream.normalizers.aos.envelopes import first_text, slug
from hookstream.normalizers.aos.parts import artifacts_of, files_of, first, message_text
from hookstream.normalizers.aos.wrapped import is_answer, wrapped
from hookstream.normalizers.table import Const, Row, at, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from hookstream.core.records import Payload
    from hookstream.normalizers.table import Source

    Facts = Mapping[str, Source | None]

WRAPPER = "protocols/A2A"
DELEGATIONS = ("message/send", "message/stream")
# method of A2A -> the name of its event, other spellings: of the AOS schema, of Joch, of A2A's gRPC
# binding and of A2A 1.0
METHODS: dict[str, tuple[str, str]] = {
    "message/send": ("A2ASendMessage", "send_message SendMessage tasks/send"),
    "message/stream": (
        "A2AStreamMessage",
        "stream_message send_streaming_message SendStreamingMessage tasks/sendSubscribe",
    ),
    "tasks/get": ("A2AGetTask", "task/get get_task GetTask"),
    "tasks/list": ("A2AListTasks", "list_tasks ListTasks"),
    "tasks/cancel": ("A2ACancelTask", "task/cancel cancel_request cancel_task CancelTask"),
    "tasks/resubscribe": (
        "A2AResubscribe",
        "task/resubscribe resubscribe resubscribe_to_task subscribe_to_task SubscribeToTask",
    ),
    "tasks/pushNotificationConfig/set": (
        "A2ASetPushNotification",
        "task/pushNotificationConfig/set set_task_push_notification_config set_notification_config"
        " set_push_notification_config create_task_push_notification_config"
        " CreateTaskPushNotificationConfig tasks/pushNotification/set",
    ),
    "tasks/pushNotificationConfig/get": (
        "A2AGetPushNotification",
        "task/pushNotificationConfig/get get_task_push_notification_config get_notification_config"
        " get_push_notification_config GetTaskPushNotificationConfig tasks/pushNotification/get",
    ),
    "tasks/pushNotificationConfig/list": (
        "A2AListPushNotifications",
        "list_task_push_notification_config list_notification_config"
        " ListTaskPushNotificationConfigs ListTaskPushNotificationConfig",
    ),
    "tasks/pushNotificationConfig/delete": (
        "A2ADeletePushNotification",
        "delete_task_push_notification_config delete_notification_config"
        " DeleteTaskPushNotificationConfig",
    ),
    "agent/getAuthenticatedExtendedCard": (
        "A2AGetAgentCard",
        "get_agent_card get_extended_agent_card GetExtendedAgentCard GetAgentCard",
    ),
}
SPELLINGS = {
    name: method for method, (_, others) in METHODS.items() for name in (method, *others.split())
}
ENDS = {"completed": True, "failed": False, "rejected": False}


def method_of(p: Payload) -> str | None:
    """The method as A2A names it: of the carried message, else of the envelope."""
    for node in (wrapped(p), p):
        name = node.get("method")
        if type(name) is str and name.partition("/")[0] != "protocols":
            return SPELLINGS.get(name, name)
        if type(name) is str and name.startswith(f"{WRAPPER}/"):
            name = name.removeprefix(f"{WRAPPER}/")
            return SPELLINGS.get(name, name)
    return None


def body_of(p: Payload) -> Payload:
    """The carried request's params, or an answer's result: a task, a message or an update."""
    message = wrapped(p) if "method" in p else p
    result = message.get("result") if is_answer(message) else message.get("params")
    inner = result.get("payload") if type(result) is dict else None
    if type(inner) is dict and inner.keys().isdisjoint(("jsonrpc", "method", "result")):
        result = inner  # the parameters alone, in an envelope of their method
    if type(result) is dict and type(result.get("task")) is dict:
        return result["task"]  # type: ignore[no-any-return]
    return result if type(result) is dict else {}


def asks(*methods: str) -> Callable[[Payload], bool]:
    """Predicate: a request of one of these methods."""

    @reads("params")
    def test(p: Payload) -> bool:
        message = wrapped(p)
        return bool(message) and not is_answer(message) and method_of(p) in methods

    return test


def answers(*methods: str) -> Callable[[Payload], bool]:
    """Predicate: an answer to one of these methods."""

    @reads("params")
    def test(p: Payload) -> bool:
        return is_answer(wrapped(p)) and method_of(p) in methods

    return test


@reads("params")
def is_answered(p: Payload) -> bool:
    return is_answer(wrapped(p)) and method_of(p) not in METHODS


@reads("params")
def is_unknown(p: Payload) -> bool:
    message = wrapped(p)
    return not message or (not is_answer(message) and method_of(p) not in METHODS)


@reads("result.decision")
def is_bare_result(p: Payload) -> bool:
    """A task, a message or an update in answer to a request without an envelope."""
    body = body_of(p)
    kinds = ("task", "message", "status-update", "artifact-update")
    return at(p, "result.decision") is None and (
        body.get("kind") in kinds or type(at(body, "status.state")) is str
    )


def is_no_bare_result(p: Payload) -> bool:
    return not is_bare_result(p)


# Who speaks with whom: the observed agent gives all of itself, of the other only its card is known.


def _side(p: Payload, name: str) -> Payload:
    side = at(p, f"params.context.{name}")
    agent = side.get("agent") if type(side) is dict else None
    return agent if type(agent) is dict else side if type(side) is dict else {}


def _sides(p: Payload) -> tuple[Payload, Payload]:
    """The observed agent and the other one."""
    sender, receiver = _side(p, "from"), _side(p, "to")
    full = ("instructions", "instruction", "provider", "tools")
    is_inbound = any(key in receiver for key in full) and not any(key in sender for key in full)
    return (receiver, sender) if is_inbound else (sender, receiver)


def is_inbound(p: Payload) -> bool:
    return _sides(p)[0] is not _side(p, "from")


@reads("params.context")
def own_tool(p: Payload) -> str | None:
    return slug(first_text(_sides(p)[0], "name") or "")


@reads("params.context")
def own_version(p: Payload) -> str | None:
    return first_text(_sides(p)[0], "version")


@reads("params.context")
def other_name(p: Payload) -> str | None:
    return first_text(_sides(p)[1], "name")


@reads("params.context")
def peer(p: Payload) -> dict[str, Any]:
    other = _sides(p)[1]
    kept = {key: other[key] for key in ("name", "version", "url") if type(other.get(key)) is str}
    return {**kept, "direction": "inbound" if is_inbound(p) else "outbound"} if kept else {}


@reads("params.context")
def address(p: Payload) -> str | None:
    """The address of the other agent, if it is asked."""
    return None if is_inbound(p) else first_text(_sides(p)[1], "url")


# Tasks.


@reads("params")
def task_id(p: Payload) -> Any:
    body = body_of(p)
    found = first(body, "taskId", "task_id") or at(body, "message.taskId")
    if found is None and body.get("kind") != "message" and "role" not in body:
        found = body.get("id") or body.get("name")
    return found.removeprefix("tasks/").partition("/")[0] if type(found) is str else found


def state_of(p: Payload) -> str | None:
    word = first_text(body_of(p), "status.state")
    return word.lower().removeprefix("task_state_").replace("_", "-") if word else None


@reads("params")
def task_state(p: Payload) -> str | None:
    return state_of(p)


def parts_of(body: Payload) -> Any:
    for path in ("message.parts", "message.content", "parts", "status.message.parts"):
        parts = at(body, path)
        if parts:
            return parts
    return None


@reads("params")
def task(p: Payload) -> Any:
    return message_text(parts_of(body_of(p)))


@reads("params")
def response(p: Payload) -> Any:
    """The texts of a task's artifacts, else of the message in answer."""
    body = body_of(p)
    texts = [artifact["text"] for artifact in artifacts_of(body) if "text" in artifact]
    return "\n".join(texts) or message_text(parts_of(body))


@reads("params")
def artifacts(p: Payload) -> list[Payload]:
    return artifacts_of(body_of(p))


@reads("params")
def files(p: Payload) -> list[Payload]:
    return files_of(parts_of(body_of(p)))


@reads("params")
def success(p: Payload) -> bool | None:
    if type(wrapped(p).get("error")) is dict:
        return False
    return ENDS.get(state_of(p) or ("completed" if parts_of(body_of(p)) else ""))


@reads("params")
def outcome(p: Payload) -> str | None:
    return "cancelled" if state_of(p) in ("canceled", "cancelled") else None


# Push notifications.


# A config in a request or in the settings of a message, by A2A 0.2 to 1.0, and as gRPC spells it.
PUSH = "pushNotificationConfig taskPushNotificationConfig config".split()
WITHIN = ("", "configuration.", "config.", "taskPushNotificationConfig.")
PUSHES = [within + name for within in WITHIN for name in PUSH]
PUSHES += [re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", path) for path in PUSHES]


def _push(p: Payload) -> Payload:
    body = body_of(p)
    payloads = (at(body, path) for path in PUSHES)
    return next((one for one in payloads if type(one) is dict and first_text(one, "url")), {})


@reads("params")
def has_push(p: Payload) -> bool:
    """Return whether a message names an address that is notified of its task."""
    return asks(*DELEGATIONS)(p) and bool(_push(p))


@reads("params")
def push_url(p: Payload) -> str | None:
    """The address that is notified of a task's progress."""
    return first_text(_push(p), "url") or first_text(body_of(p), "url")


@reads("params")
def push(p: Payload) -> dict[str, Any]:
    found = _push(p)
    schemes = at(found, "authentication.schemes")
    facts = {"url": first_text(found, "url"), "schemes": schemes if type(schemes) is list else None}
    return {key: value for key, value in facts.items() if value}


@reads("params")
def context_id(p: Payload) -> str | None:
    body = body_of(p)
    return first_text(body, "contextId", "message.contextId")


@reads("params")
def method_word(p: Payload) -> str | None:
    return method_of(p)


@reads("params")
def carried_method(p: Payload) -> str | None:
    """The method, where the envelope has another one or spells it in another way."""
    method = method_of(p)
    return method if method != p.get("method") else None


TASK: Facts = {"task_id": task_id, "task_state": task_state}
NATIVE: Mapping[str, Source] = {
    "method_called": carried_method,
    "peer": peer,
    "context_id": context_id,
    "push_notification": push,
    "attached_files": files,
    "artifacts": artifacts,
}
FAILED: Facts = {"error_message": ("params.payload.error.message", "params.message.error.message")}


def row(name: str, when: Any, facts: Facts, point: str | None = None) -> Row:
    return Row(name, {**TASK, **facts}, hook_point=point, when=when, native=NATIVE)


def _rows() -> tuple[Row, ...]:
    found = [
        row(
            "Action.Before",
            asks(*DELEGATIONS),
            {
                "action_native": method_word,
                "action_name": Const("delegate"),
                "action_category": Const("delegate"),
                "task": task,
                "url": address,
                "agent_type": other_name,
            },
            "PreSubAgentSpawn",
        ),
        row(
            "Action.After",
            answers(*DELEGATIONS),
            {
                **FAILED,
                "action_native": method_word,
                "action_name": Const("delegate"),
                "action_category": Const("delegate"),
                "success": success,
                "outcome": outcome,
                "response": response,
                "agent_type": other_name,
            },
            "PostSubAgentResult",
        ),
    ]
    # An answer is to the message, not to where its task is told.
    told: Facts = {"url": push_url, "message_id": None, "wrapped_id": None}
    found.append(row("vendor.aos.A2ASetPushNotification", has_push, told))
    for method, (name, _) in METHODS.items():
        if method not in DELEGATIONS:
            own: Facts = {"url": (push_url, address) if "pushNotif" in method else address}
            found.append(row(f"vendor.aos.{name}", asks(method), own))
            own = {**FAILED, "response": response}
            if "pushNotif" in method:
                own = {**FAILED, "url": push_url}
            found.append(row(f"vendor.aos.{name}Result", answers(method), own))
    return (
        *found,
        row("vendor.aos.A2AResult", is_answered, {**FAILED, "response": response}),
        row("vendor.aos.A2AMessage", is_unknown, {}),
    )


ROWS = _rows()
EVENTS: dict[str, tuple[Row, ...]] = dict.fromkeys((WRAPPER, *SPELLINGS), ROWS)
