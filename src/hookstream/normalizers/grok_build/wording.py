"""Grok Build: how a call ended, by the result that hooks get and by telemetry's words.

Sources: recordings of 1.0.41 and 1.0.5. A failed command comes as a result with its exit code.
"""

from __future__ import annotations

import re

from hookstream.normalizers.wording import Ending, denied, failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

EXIT = re.compile(r"exit: (-?\d{1,10})(?:\n|\Z)")
# What a result holds in the place of what was asked for.
MISSING = ("FileNotFound", "NotFound", "Error")
# source of a decision -> who; `allowed` is a person's click and a saved rule alike
SOURCES = {"user_reject": "user", "config": "rule"}


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
    missing = next((name for name in MISSING if name in result), None)
    if missing is not None:
        return failed("error", str(result[missing])[:500])
    if code:
        return failed("error", f"exit: {code}", code)
    return Ending("ok", exit_code=code)


def decision(word: object, source: object) -> Ending:
    """The end that a decision gave to a call. Who cancelled a question is not said."""
    if word in ("deny", "cancelled"):
        return denied(SOURCES.get(str(source)))
    return Ending(None)
