"""Claude Code: the end of a call by the client's words, in hooks, session files and telemetry.

Source: the strings of the client (2.0 to 2.1.330) and recordings. In an entry of PostToolBatch the
words prove nothing alone, a tool can print them: the sessions stage also wants a before event and
no after event of the call.
"""

from __future__ import annotations

import re
from functools import cache

from hookstream.core.decisions import STRANGE
from hookstream.core.event import short_reason
from hookstream.normalizers.table import derived, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.records import Payload

SHELLS = frozenset(("Bash", "PowerShell"))
# A failed shell call says so in the first line of its error; the command's output follows.
EXIT_CODE = re.compile(r"\AExit code (\d{1,5})\b")
# The beginning of a prompt that a finished background task made.
TASK_NOTICE = "<task-notification>"
# Characters of a text in which wordings are looked for.
LOOKED_AT = 8192

NO_RULE = (
    r"(?:, but you haven't granted it yet|, which contains a suspicious| which is a sensitive)"
)

# Sentences that begin the text and name the tool that was refused, or the path it was to touch.
NAMED = (
    (r"PreToolUse:(?P<tool>\S+) hook error: ", "hook"),
    (r"Hook PreToolUse:(?P<tool>\S+) denied this tool", "hook"),
    (r"Permission to use (?P<tool>\S+) denied by plugins? ", "mod"),
    (r"Permission to use (?P<tool>\S+) has been denied because Claude Code is running", "mode"),
    (r"Cannot call (?P<tool>\S+) while in plan mode", "mode"),
    (r"Cannot write to (?P<path>.+?) while in plan mode", "mode"),
    # A rule's refusal ends there; advice follows if no user could be asked.
    (r"Permission to use (?P<tool>\S+) has been denied\. IMPORTANT: ", "client"),
    (r"Permission to use (?P<tool>\S+) (?:with .+? )?has been denied", "rule"),
    (r"Permission to (?:read|edit|write to) (?P<path>.+?) has been denied", "rule"),
    (r"(?P<tool>\S+) denied access to ", "rule"),
    (r"Claude requested permissions? to use (?P<tool>\S+), but you haven't", "client"),
    (r"Claude requested permissions? to [a-z ]{2,20} (?P<path>\S.*?)" + NO_RULE, "client"),
    (r"[A-Z][^.\n]{1,400}? requires approval for this (?P<tool>\S+) command", "client"),
    (r"(?P<tool>\S+) did not run\. It needs the user's approval", "client"),
    (r"(?P<tool>\S+) was not run(?:: its permission check|\. The permission prompt)", "client"),
    (r"The (?P<tool>\S+) permission check (?:failed|crashed|needs)", "client"),
    (r"Claude Code could not finish the (?P<tool>\S+) permission check", "client"),
    (r"Auto mode is unavailable: [^\n]{1,200}?, so (?P<tool>\S+) was not run", "classifier"),
    (r"(?P<tool>\S+) was not (?:reviewed|run: auto mode's safety check)", "classifier"),
    (r"Only the auto-mode classifier can allow (?P<tool>\S+): ", "classifier"),
)
# A person's no, or a person's stop of a call that runs.
PERSONS_NO = re.compile(r"The user doesn't want to (?:proceed with this tool use|take this action)")
# Sentences that begin the text and name nothing: proof only where results prove to be captured.
UNNAMED = (
    (r"<tool_use_error>[^<]{0,200}denied by your permission settings", "rule"),
    (r"[^\n]{1,2000} was blocked by a deny rule", "rule"),
    (r"[^\n]{1,2000} was blocked\. For security, Claude Code may only", "client"),
    (r"This (?:Bash )?command (?:requires approval|contains multiple operations)", "client"),
    (r"Permission for this tool use was denied(?:: it|\. It) requires ", "client"),
    (r"Permission for this command was denied by a built-in Claude Code", "client"),
    (r"Permission for this tool use was denied\. The tool use was rejected", "user"),
    (PERSONS_NO.pattern, "user"),
    (r"Subagent spawn denied by a plugin: ", "mod"),
    (r"Permission for this action (?:was|has been) denied", "classifier"),
    (r"Auto mode is unavailable: ", "classifier"),
)
# The mods that were asked for their verdict: the text does not say whose it was.
ASKED_MODS = re.compile(r"Permission to use \S+ denied by plugins? (?P<names>[^\n:]{1,400}): ")
BUILT_IN = "cc-plugin-"
INVALID = "<tool_use_error>"
SPAWN_DENIED = "Subagent spawn denied by a plugin: "
# A result that a mod withheld from the model.
WITHHELD = re.compile(r"\S+ ran, and a plugin withheld its result: ")
# What the client says of a call that it could not begin, in the tag of invalid calls.
CLIENTS_OWN = re.compile(
    r"<tool_use_error>\s*(?:Error: |InputValidationError|No such tool|Cancelled: |Blocked: |"
    r"Not started: |Not fetched: |Cannot |File |Files? (?:does|has|is|must)|Path |Invalid |"
    r"Missing |No (?:changes|task|scheduled|such|file)|String |Found \d|Notebook |Cell |Task |"
    r"Unknown skill|Claude Code |This (?:tool|call|session|would)|You are not|Directory |"
    r"Attachment |EISDIR|ENOENT|The (?:file|path|URL|string|tool|user doesn)|Already |Only |"
    r"Subagents? |Too many |tool\.call step|Tool dispatch|Streaming fallback|Skill |Agent type|"
    r"Agent '|URL |Path:|A fork |(?:`\w+`|[a-z]+_\w+) (?:must|is|requires|cannot)\b|"
    r"[^<]{0,400}(?:is a directory|not found|does not exist|is not a regular|is too large|"
    r"denied by your permission settings|has been modified|has not been read))"
)
# Words anywhere in the text: who it was, once something else shows that the call was refused.
LOOSE = (
    (r"don't ask mode|while in plan mode", "mode"),
    (r"requested permissions? to|haven't granted it yet|(?:needs|requires) approval", "client"),
)


def exit_code(text: str) -> int | None:
    match = EXIT_CODE.match(text)
    return int(match[1]) if match else None


@reads("error")
def is_spawn_denied(p: Payload) -> bool:
    """A mod refused the sub-agent: its call began, and no agent did."""
    error = p.get("error")
    return type(error) is str and error.startswith(SPAWN_DENIED)


@cache
def patterns(wordings: tuple[tuple[str, str], ...]) -> list[tuple[re.Pattern[str], str]]:
    """Wordings made ready when a batch first comes: most runs of a hook meet none."""
    return [(re.compile(wording, re.DOTALL), who) for wording, who in wordings]


def asked_mod(text: str) -> str | None:
    """The mod that a refusal names, where one of those asked is not the client's own."""
    match = ASKED_MODS.match(text)
    names = match["names"].split(", ") if match is not None else []
    own = [name for name in names if not name.startswith(BUILT_IN)]
    return own[0] if len(own) == 1 else None


def is_strange(text: str) -> bool:
    """Return whether a text in the tag of invalid calls is not one of the client's own."""
    return text.startswith(INVALID) and CLIENTS_OWN.match(text[:LOOKED_AT]) is None


def untagged(text: str) -> str:
    """A text without the tag of invalid calls."""
    return text.removeprefix(INVALID).removesuffix("</tool_use_error>")


def text_of(p: Payload) -> str:
    """The text the model got; "" where it got blocks, as from an MCP tool that ran."""
    response = p.get("tool_response")
    return response if type(response) is str else ""


def named(p: Payload) -> str | None:
    """The one who refused, if the sentence names this entry's tool or path."""
    text = text_of(p)[:LOOKED_AT]
    for wording, who in patterns(NAMED) if text else ():
        match = wording.match(text)
        if match is None:
            continue
        said = match.groupdict()
        # A result whose call is in another file is of a tool that only the sentence names.
        if p.get("tool_name") in (None, said.get("tool")) or is_path_of(said.get("path"), p):
            return who
    return None


def is_path_of(path: str | None, p: Payload) -> bool:
    """Return whether an argument of the call is this path; the client may show it absolute or from
    ~.
    """
    tool_input = p.get("tool_input")
    if not path or type(tool_input) is not dict:
        return False
    name = path.replace("\\", "/").rpartition("/")[2]
    return any(
        type(one) is str and one.replace("\\", "/").rpartition("/")[2] == name
        for one in tool_input.values()
    )


def unnamed(p: Payload) -> str | None:
    """The one who refused, by a sentence that names nothing."""
    text = text_of(p)[:LOOKED_AT]
    return next((who for wording, who in patterns(UNNAMED) if wording.match(text)), None)


@derived
@reads("tool_response")
def refused_by(p: Payload) -> str | None:
    """The one who refused, by the client's words; kept only if the call proves to be refused."""
    text = text_of(p)[:LOOKED_AT]
    loose = (who for wording, who in patterns(LOOSE) if wording.search(text))
    return named(p) or unnamed(p) or next(loose, None) or ("mod" if is_strange(text) else None)


def refusal_evidence(p: Payload) -> str | None:
    """The field that shows the refusal, where its text begins with a sentence of the client."""
    if named(p) or unnamed(p):
        return "tool_calls.tool_response"
    return STRANGE if is_strange(text_of(p)) else None


@derived
@reads("tool_response")
def batch_guardian(p: Payload) -> str | None:
    """The mod whose verdict refused the call, where its text names one."""
    return asked_mod(text_of(p)[:LOOKED_AT])


def refusal_certainty(p: Payload) -> str | None:
    """Observed if the sentence names what was refused: that cannot be chance."""
    return "observed" if named(p) else None


@reads("tool_response")
def refusal(p: Payload) -> str | None:
    """The reason that a refusal's text gives, without the advice to the model that follows."""
    if not (named(p) or unnamed(p)):
        return None
    return without_advice(text_of(p))


@reads("tool_response")
def strange_reason(p: Payload) -> str | None:
    """The reason of a mod's refusal, if history shows that it is one."""
    text = text_of(p)
    return without_advice(text) if is_strange(text) else None


def without_advice(text: str) -> str:
    """A refusal's first line, without the advice to the model that may follow the sentence."""
    return short_reason(untagged(text).split(" IMPORTANT: ", 1)[0])
