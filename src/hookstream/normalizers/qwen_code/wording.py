"""Qwen Code: the end of a call, by the sentences of 0.24.4.

A person's refusal is marked as cancelled. A hook leaves only its own words, so that the one who
refused is a hook where no sentence of the client's is found.
"""

from __future__ import annotations

from hookstream.normalizers.gemini_cli.wording import SHELL, exit_line, shell_ended, trailer
from hookstream.normalizers.wording import Ending, denied, failed, refusals, refused

REFUSED_BY_USER = "User did not allow tool call"
# The turn was stopped before the call began.
STOPPED = "Tool call cancelled by user"
CANCELLED = "[Operation Cancelled] Reason: "
PLAN_MODE = "Plan mode blocked a non-read-only tool call."
MATCHING = r'(?:\. Matching deny rule: "(?P<rule>.+?)")?'
PERMISSION = r"Qwen Code requires permission to use .{1,400}"
# Tools that a session without a person denies by rules of the client's own, which have their names;
# a person's rule names them otherwise (`Bash(rm *)`).
OWN_RULE = r'\. Matching deny rule: "(?:run_shell_command|edit|write_file)"'
REFUSALS = refusals(
    hook=r"Permission denied by hook",
    rule=(
        rf'This "[^"]+" invocation was denied by permission rules{MATCHING}',
        r'Tool "[^"]+" is (?:denied|disabled|not permitted by)',
        rf"{PERMISSION} declined(?! \(non-interactive mode|{OWN_RULE}){MATCHING}",
    ),
    client=(
        rf"{PERMISSION}(?:not available|declined{MATCHING})",
        r"[^\n]*requires (?:user )?approval",
        r"[^\n]*requires permission, but background agents cannot prompt",
    ),
    mode=(r'Tool blocked by plan mode: "', r"Plan mode is active\.", PLAN_MODE.replace(".", r"\.")),
)
NOTHING = (None, "0", "(none)")


def ended(
    tool: object,
    status: object,
    error: str = "",
    output: str | None = None,
    decision: object = None,
    *,
    error_type: object = None,
    unrun: bool = False,
) -> Ending:
    """The end of a call. `unrun`: the client reports that it was not started."""
    is_cancelled = status == "cancelled" or decision == "reject"
    text = error.strip().removeprefix(CANCELLED)
    is_users = text.startswith(REFUSED_BY_USER) or (unrun and not text.startswith(STOPPED))
    if (
        decision == "reject"
        or error_type == "execution_denied"
        or (status == "cancelled" and is_users)
    ):
        return refused(REFUSALS, text) or denied(
            "user" if is_cancelled else "hook" if text else None, text
        )
    if status == "success":
        is_shell = tool == SHELL and output is not None
        return shell_ended(output or "", is_ok=True) if is_shell else Ending("ok")
    code, words = (exit_line(error), exit_words(error)) if tool == SHELL else (None, None)
    return failed("cancelled" if is_cancelled else "error", words or error, code)


def evidence_of(end: Ending, field: str = "tool_call") -> str:
    """The field that shows a refusal, or that no sentence of the client's does."""
    is_named = end.decided_by != "hook" or refused(REFUSALS, end.reason or "") is not None
    return field if is_named else f"{field}, by exclusion"


def exit_words(text: str) -> str | None:
    """`Exit Code: N` or `Signal: X` of a shell result that failed."""
    end = trailer(text)
    label = next(
        (label for label in ("Exit Code", "Signal") if end.get(label) not in NOTHING), None
    )
    return f"{label}: {end[label]}" if label else None
