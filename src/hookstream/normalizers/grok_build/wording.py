"""Grok Build: how a call ended, by the result that hooks get and by the words of other witnesses.

Sources: recordings of 1.0.41 and 1.0.5. A failed command comes as a result with its exit code.
"""

from __future__ import annotations

import re

from hookstream.normalizers.wording import Ending, denied, failed, refusals, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

EXIT = re.compile(r"exit: (-?\d{1,10})(?:\n|\Z)")
# What a result holds in the place of what was asked for.
MISSING = ("FileNotFound", "NotFound", "Error")
# source of a decision -> who; `allowed` is a person's click and a saved rule alike, and a person's
# words are the client's where no person attends
SOURCES = {"user_reject": "user", "user_abort": "user", "config": "rule"}
REFUSALS = refusals(
    hook=(r"Hook denied: (?P<reason>.*)",),
    rule=(
        r"(?:Tool `[^`]{1,200}` was not executed: )?Denied by permission policy: "
        r"(?P<reason>(?P<rule>.*))",
    ),
    user=(r"User (?:rejected|cancelled) the execution",),
)
# The least time in which a person answers; the client itself takes a few milliseconds.
PERSON_MS = 200


def asked(text: Any) -> Any:
    """A prompt without the tag that the client puts around it."""
    if type(text) is str and text.startswith("<user_query>"):
        return text.removeprefix("<user_query>").strip().removesuffix("</user_query>").strip()
    return text


def ended(result: Any) -> Ending:
    """The end of a call by its result."""
    if type(result) is not dict:
        return Ending(None)
    text = result.get("output_for_prompt")
    code = result.get("exit_code")
    if type(code) is not int:
        match = EXIT.match(text) if type(text) is str else None
        code = int(match[1]) if match else None
    # A server's result is one level further in.
    held = result["output"] if type(result.get("output")) is dict else result
    missing = next((name for name in MISSING if name in held), None)
    if missing is not None:
        return failed("error", str(held[missing])[:500])
    if code:
        return failed("error", f"exit: {code}", code)
    return Ending("ok", exit_code=code)


def finished(status: object, result: Any, text: str, waited_ms: int | None) -> Ending:
    """The end of a call in a session file; a refusal in a person's words that came at once is the
    client's."""
    end = refused(REFUSALS, text) if status == "failed" else None
    if end is None:
        end = ended(result)
        return end if status == "completed" or end.outcome == "error" else failed("error", text)
    if end.decided_by == "user" and (waited_ms is None or waited_ms < PERSON_MS):
        end.decided_by = None if waited_ms is None else "client"
    return end


def decision(word: object, source: object) -> Ending:
    """The end that a decision gave to a call."""
    if word in ("deny", "cancelled"):
        return denied(SOURCES.get(str(source)))
    return Ending(None)
