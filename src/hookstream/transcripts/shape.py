"""Values of a session file's record in the types that every client writes them in.

A reader keeps what it meets for the records that follow: a count that is a list would be added to
the next one, an id that is an object would name the next call. What cannot be read as its type is
removed here, before any reader, and named.
"""

from __future__ import annotations

from hookstream.core.event import MISSING, fit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys("role cwd subtype promptId turn_id uuid parentUuid parentId".split(), (str,)),
    **dict.fromkeys("sessionId session_id interactionId agentId agent_id".split(), (str,)),
    **dict.fromkeys("modelId model_id toolName toolUseId toolCallId".split(), (str,)),
    **dict.fromkeys("tool_call_id call_id callId".split(), (str,)),
    **dict.fromkeys("type version turnId messageId message_id".split(), (str, int)),
    **dict.fromkeys("requestId request_id".split(), (str, int)),
    **dict.fromkeys("timestamp created_at createdAt time_created".split(), (str, int, float)),
    "model": (str, dict),
}
# Objects of counts, and the counts in them whose name does not say that it is one of tokens.
COUNTED = frozenset(
    "usage tokens token_usage total_token_usage last_token_usage usageMetadata tokenUsage".split()
)
COUNTS = frozenset(
    "input output cached thoughts tool total cacheRead cacheWrite reasoning read write".split()
)
# What is a tool's or a person's own below these names.
FREE = frozenset(
    "input args arguments params parameters rawInput toolUseResult result output metadata "
    "tool_input response details".split()
)
BRANCHES = (dict, list)
NUMBERS = (int, float)


def shaped(value: dict[str, Any]) -> list[str]:
    """Take away what has another type than its name says; the names."""
    odd: list[str] = []
    todo: list[tuple[Any, bool]] = [(value, False)]
    while todo:
        node, is_counted = todo.pop()
        if type(node) is list:
            todo += [(item, is_counted) for item in node if type(item) in BRANCHES]
            continue
        for name, item in node.items():
            kind = type(item)
            kinds = KINDS.get(name)
            if item is None:
                continue
            if kinds is not None and kind not in kinds:
                node[name] = None
                odd.append(name)
            elif is_counted and kind not in NUMBERS and is_count(name):
                number = fit(item, int)
                node[name] = None if number is MISSING else number
                if number is MISSING:
                    odd.append(name)
            elif kind in BRANCHES and (is_counted or name not in FREE):
                todo.append((item, name in COUNTED))
    return odd


def is_count(name: str) -> bool:
    """Return whether a name in an object of counts is that of one."""
    return name in COUNTS or ("token" in name.lower() and not name.endswith("etails"))
