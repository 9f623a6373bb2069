"""Goose: how a call ended, by the words that the model got.

Source: the vendor's source. The sentence about a person is also the client's own, for a tool that
is never allowed and for a call that is repeated too often: a person's it is only after a question.
"""

from __future__ import annotations

import re

from hookstream.normalizers.wording import Ending, denied, failed, refusals, refused

DECLINED = "The user has declined to run this tool"
PLUGIN = re.compile(
    r"Tool call (?:denied by|blocked because) policy hook [`<]?(?P<plugin>[^`>:\s]+)"
)
REFUSALS = refusals(
    hook=(
        r"Tool call denied by policy hook [^:]{1,200}: (?P<reason>.*?)(?:\. Do not retry;|\Z)",
        r"Tool call blocked because policy hook .{1,200}? could not be evaluated: "
        r"(?P<reason>.*?)(?:\. That plugin is configured|\Z)",
    ),
    client=(r"This tool call was blocked by a safety inspector",),
    mode=(r"Let the user know the tool call was skipped in goose chat mode",),
)


def ended(is_error: bool | None, text: str, was_asked: bool = False) -> Ending:
    """The end of a call by its result."""
    if text.startswith(DECLINED):
        return denied("user" if was_asked else None, DECLINED)
    end = refused(REFUSALS, text)
    if end is not None:
        return end
    if is_error is None:
        return Ending(None)
    return failed("error", text) if is_error else Ending("ok")


def plugin(text: str) -> str | None:
    """The plug-in whose hook refused."""
    match = PLUGIN.match(text)
    return match["plugin"] if match else None
