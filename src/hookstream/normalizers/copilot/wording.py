"""GitHub Copilot: the end of a call, by the sentences of CLI 1.0.102 and a command's last line.

A command that failed is a success for the client: its exit code shows it. A refusal has a code of
its own, and its message says who refused.
"""

from __future__ import annotations

import re

from hookstream.normalizers.wording import Ending, denied, failed, refusals, refused

SHELLS = frozenset(
    "bash powershell Bash PowerShell shell write_bash write_powershell run_in_terminal "
    "runTerminalCommand runTests run_task create_and_run_task".split()
)
# The CLI appends this line to a command's output; only the end of the text is the CLI's.
EXIT_LINE = re.compile(r"<(?:shellId: \S{1,32} completed|exited) with exit code (-?\d{1,10})>\s*\Z")
# The result of a command that continues.
BACKGROUND = "<command started in background"
# A hook that withholds a result says so with the code of a refusal, but the call has run.
WITHHELD = "Tool result blocked"
# Of a call that ran when the client died, at the next start.
CUT_OFF = "Tool execution was interrupted before a result was recorded"
# A prompt of autopilot's own, which asks the model to continue.
AUTOPILOT = "You have not yet marked the task as complete"
REFUSALS = refusals(
    user=r"Denied by user via preToolUse hook prompt(?:: (?P<reason>.*))?",
    # A hook's question that the client answers by itself.
    client=r"Denied by preToolUse hook \(unable to ask[^)]*\)(?:: (?P<reason>.*))?",
    hook=r"(?:.{0,200}?\. )?Denied by preToolUse hook(?: \([^)]*\))?(?:: (?P<reason>.*))?",
    rule=r".{0,200}?due to the following rules: `?(?P<rule>.{1,500}?)[`.\s]*\Z",
) + refusals(
    client=r".{0,200}?(?:no interactive user|could not request permission)",
    user=r".{0,200}?(?:[Uu]ser (?:rejected|denied|declined)|(?:denied|rejected) by (?:the )?user)",
)


def ended(
    tool: object,
    status: object,
    error: str = "",
    output: str | None = None,
    code: object = None,
) -> Ending:
    """The end of a call. `status` is success, failure, cancelled, or what a refusal is called:
    denied, and by a person rejected. No outcome where nothing shows how a command ended."""
    if error.startswith(WITHHELD):
        return failed(None, error)
    if error.startswith(CUT_OFF):
        return failed("cancelled", error)
    if status in ("denied", "rejected"):
        return refused(REFUSALS, error) or denied("user" if status == "rejected" else None, error)
    if type(code) is not int:
        match = EXIT_LINE.search((output or "")[-200:]) if tool in SHELLS else None
        code = int(match[1]) if match else None
    if status in ("cancelled", "failure") or code:
        outcome = "cancelled" if status == "cancelled" else "error"
        return failed(outcome, error or EXIT_LINE.sub("", output or ""), code)
    if code is None and tool in SHELLS and not (output or "").startswith(BACKGROUND):
        return Ending(None)
    return Ending("ok" if status or code == 0 else None, exit_code=code)
