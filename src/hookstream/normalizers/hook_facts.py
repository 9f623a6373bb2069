"""Properties of a client's hooks, as data: one `HOOK` in `hook.py` of the client's folder.

What a hook that only observes has to print, how long it may take, what its environment holds, and
what a policy hook's answer means to the client that asked (the verdict contract).
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from hookstream.normalizers.guard_answers import HookVerdict

    Reader = Callable[[dict[str, Any], str], HookVerdict]

    # path in a payload or variable -> what its words say, or what it says where it is there
    Marks: TypeAlias = "Mapping[str, Mapping[str | bool, bool] | bool]"

# The beginning of a mark that is a variable of the hook's environment.
ENVIRONMENT = "env."
# What an event lets a hook do. TOOL: refuse an action. GATE: refuse what it announces (a prompt,
# a compaction, a task). NOTED: the refusal is taken in, but trials show that it is not obeyed.
# TURN: send the agent back to work. AFTER: say something about what has happened.
TOOL, GATE, NOTED, TURN, AFTER, NONE = "tool", "gate", "noted", "turn", "after", "none"
# What a hook that fails does to an action.
OPEN, CLOSED, CONFIGURED = "open", "closed", "open_unless_configured"


class Contract:
    """The reading of a policy hook's answer by one client.

    events              native event -> what a refusal does there; any other event: NONE
    reader              what reads the JSON object of an event (normalizers/guard_answers.py)
    finder              name of what finds it in a text (FINDERS in capture/wrap/verdicts.py)
    exits               statuses at which the JSON is read; None: all of them
    blocks              statuses that refuse by themselves, with the reason on stderr
    requires_reason     a refusing status without a word on stderr is an invalid answer
    stderr              standard error is the answer where standard output is empty
    stdout_text_denies  text with a status above 1 refuses
    deny_on_other_exit  events at which any other non-zero status refuses (the client fails closed)
    deny_on_bad_output  events at which an unreadable answer refuses
    empty_is_failure    status 0 without output counts as a failed hook
    fails               what a failure does elsewhere: "open" or "open_unless_configured"
    """

    def __init__(
        self,
        events: dict[str, str],
        reader: Reader | None,
        finder: str | None = "objects_only",
        *,
        exits: tuple[int, ...] | None = None,
        blocks: tuple[int, ...] = (2,),
        requires_reason: bool = False,
        stderr: bool = False,
        stdout_text_denies: bool = False,
        deny_on_other_exit: frozenset[str] = frozenset(),
        deny_on_bad_output: frozenset[str] = frozenset(),
        empty_is_failure: bool = False,
        fails: str = OPEN,
    ) -> None:
        self.events = events
        self.reader = reader
        self.finder = finder
        self.exits = exits
        self.blocks = blocks
        self.requires_reason = requires_reason
        self.stderr = stderr
        self.stdout_text_denies = stdout_text_denies
        self.deny_on_other_exit = deny_on_other_exit
        self.deny_on_bad_output = deny_on_bad_output
        self.empty_is_failure = empty_is_failure
        self.fails = fails


class HookFacts:
    """One client.

    answer       what an observer writes to standard output; nothing where text would be read
    answers      the same for events that want another
    marks        what only this client's payloads have: fields divided by blanks, `a+b` for fields
                 that come together, `a=x` for a field whose text begins with x
    variables    what only this client's hooks have in their environment
    folders      parts of the places of its session files, in lower case; `x*` is the beginning of
                 a file's name
    unattended   its programs, divided by `; `, with the options and verbs by which each runs
                 without a person
    attended     marks of a session with a person or without: a path in a payload, or a variable as
                 `env.NAME`, with what each word there says, or what its being there says
    runs_hooks_of  clients whose settings files it reads hooks from as well
    payload_variable  the variable that holds what others write to standard input
    fork_of      the client whose payloads its own look like: what has none of its marks is taken
                 for that client's
    environment  the variables that a record keeps: a client's environment holds credentials
    version      the variable that holds the client's version
    budgets_ms   events whose hooks the client gives less time than others
    first_byte_s how long to wait for a payload that may never come
    fails_closed an http hook's error is a deny
    verdicts     how a policy hook's answer is read; `dialects`: where that depends on who asks
    """

    def __init__(
        self,
        verdicts: Contract | None = None,
        dialects: Mapping[str, Contract] | None = None,
        *,
        answer: bytes = b"",
        answers: Mapping[str, bytes] | None = None,
        marks: str = "",
        variables: str = "",
        folders: str = "",
        runs_hooks_of: str = "",
        fork_of: str = "",
        unattended: str = "",
        attended: Marks | None = None,
        payload_variable: str = "",
        environment: tuple[str, ...] = (),
        version: str | None = None,
        budgets_ms: Mapping[str, int] | None = None,
        first_byte_s: float | None = None,
        fails_closed: bool = False,
    ) -> None:
        self.answer = answer
        self.answers = answers or {}
        self.marks = marks
        self.variables = variables
        self.folders = folders
        self.runs_hooks_of = runs_hooks_of
        self.fork_of = fork_of
        self.unattended = unattended
        self.attended: Marks = attended or {}
        variables_read = (path for path in self.attended if path.startswith(ENVIRONMENT))
        self.environment = (
            *environment,
            *(path.removeprefix(ENVIRONMENT) for path in variables_read),
        )
        self.payload_variable = payload_variable
        self.version = version
        self.budgets_ms = budgets_ms or {}
        self.first_byte_s = first_byte_s
        self.fails_closed = fails_closed
        self.verdicts = verdicts
        self.dialects = dialects or {}


NO_FACTS = HookFacts()


def kinds(**groups: str) -> dict[str, str]:
    """`tool="A B", gate="C"` -> {"A": "tool", ...}."""
    return {name: kind for kind, names in groups.items() for name in names.split()}


def hook_facts(vendor: str | None) -> HookFacts:
    """The facts of a vendor; `NO_FACTS` if its hooks are not programs, or it is unknown."""
    from hookstream.core.clients import VENDORS

    folder = VENDORS.get(vendor or "")
    if folder is None:
        return NO_FACTS
    name = f"hookstream.normalizers.{folder}.hook"
    try:
        facts: HookFacts = import_module(name).HOOK
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return NO_FACTS
    return facts
