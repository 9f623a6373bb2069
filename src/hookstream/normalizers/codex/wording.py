"""Codex: the end of a call, by the sentences of 0.169.0 and the header above a command's output.

`success` is true for a command that ended with an exit code other than 0: the code is in the
header, which ends with a line `Output:`; what follows it is what the command printed.
"""

from __future__ import annotations

import re

from hookstream.normalizers.wording import Ending, denied, failed, refusals, refused

# Every shell-like handler is called Bash in hooks.
SHELLS = frozenset("Bash shell shell_command local_shell exec_command write_stdin".split())
PATCH = "apply_patch"
OUTPUT = re.compile(r"(?:\A|\n)Output:\n")
EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d{1,10})\b", re.MULTILINE)
RUNNING = re.compile(r"^Process running with session ID", re.MULTILINE)
# What the client puts around the reason that an execution was rejected.
REJECTED = re.compile(
    r'(?:\w+ failed(?: for .{1,400}?)?: )?(?:CreateProcess \{ message: ")?Rejected\(\\*"'
    r'(?P<reason>.*?)(?:\\*"\)(?:" \})?\s*)?\Z',
    re.DOTALL,
)
# An automatic review of what would be asked for; one that fails refuses in the same words.
REVIEWED = refusals(
    client=r"This action was rejected due to unacceptable risk\.\s*Reason: "
    r"(?P<reason>Automatic approval review failed.*)",
    classifier=r"This action was rejected due to unacceptable risk\.\s*(?:Reason: )?(?P<reason>.*)",
)
REFUSALS = REVIEWED + refusals(
    hook=r"(?:Command|Tool call) blocked by PreToolUse hook: (?P<reason>.*)",
    client=r"patch rejected: (?P<reason>.{1,400}); rejected by user approval settings",
    user=r"(?:patch |\w+ failed: )(?P<reason>rejected by user)",
)
REJECTIONS = REVIEWED + refusals(
    user=r"rejected by user",
    client=(
        r"approval required by policy",
        r"`.*?` rejected: (?P<reason>.{1,80} style commands are .*)",
    ),
    rule=r"`.*?` rejected: (?P<reason>(?P<rule>.*))",
)
NOT_RUN = re.compile(
    r"unsupported call|apply_patch verification failed|failed to parse|\w+ failed: "
)
ABORTED = re.compile(r"(?:Wall time: [^\n]*\n)?\s*aborted by user")
LOOKED_AT = 8192


def refusal(text: str) -> Ending | None:
    """The refusal that a result is, None if the call was run."""
    text = text[:LOOKED_AT]
    match = REJECTED.match(text)
    if match is None:
        return refused(REFUSALS, text)
    reason = re.sub(r'\\+"', '"', match["reason"])
    return refused(REJECTIONS, reason) or denied(None, reason)


def header(text: str) -> str:
    """The client's lines above the output of a command; the first line where it has no mark."""
    mark = OUTPUT.search(text[:1024])
    return text[: mark.start()] if mark else text[:1024].partition("\n")[0]


def printed(text: str) -> str:
    """The output of a command, without the client's lines above it."""
    mark = OUTPUT.search(text[:1024])
    return text[mark.end() :] if mark else text


def exit_code(tool: object, text: str) -> int | None:
    """The code above the output of a command or of a patch."""
    match = EXIT.search(header(text)) if tool in SHELLS or tool == PATCH else None
    return int(match[1]) if match else None


def ended(
    tool: object, text: str, success: bool | None = None, policy: str | None = None
) -> Ending:
    """The end of a call. What a person refused and what one stopped reads alike: the approval
    `policy` tells which it is likely to be. No outcome where a command may still run."""
    refused = refusal(text) if success is not True else None
    if refused is not None:
        return refused
    code = exit_code(tool, text)
    if code is not None:
        return failed("error", printed(text), code) if code else Ending("ok", exit_code=0)
    if ABORTED.match(text):
        return (
            denied("user", text)
            if policy not in (None, "never")
            else Ending("cancelled" if policy else None)
        )
    if success is False or (success is None and (NOT_RUN.match(text) or tool == PATCH)):
        return failed("error", text)
    return Ending("ok" if success and tool not in SHELLS else None)
