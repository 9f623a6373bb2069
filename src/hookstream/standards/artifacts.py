"""AARTS artifacts of an action, with `source_field` and how each is used (`context`).

`of_fields` takes whole values of known fields: command, path, URL, content and prompts (their
digest where privacy keeps no content), and the place of each secret that privacy found, never its
value. `extract` adds what a command line names: URLs, network addresses and packages, from the one
reader of commands (`hookstream.shell`). The hook writes the first alone, since the reader's parser
costs more than all its own work; where its log is read, the rest is added.
"""

from __future__ import annotations

import re

from hookstream.core.event import CONTENT_ARGUMENTS, KEPT_ARGUMENTS
from hookstream.shell.spelling import one_spelling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from hookstream.core.event import Event

    # type, value, source_field, context ("" for none)
    Artifact = tuple[str, str, str, str]

TYPES = frozenset(
    "command file_path url package content prompt_fragment credential network_address".split()
)
TARGETS = (("command", "command"), ("file_path", "file_path"), ("url", "url"))
# Facts whose text AARTS has under a separate name.
PLACES = {"output": "tool_result", "response": "tool_result", "task": "delegated_task"}
TEXTS = frozenset(("content", "prompt_fragment"))
PROMPTS = frozenset("prompt task instructions question questions systemprompt objective".split())
# An agent's statements about its call, and what was there before it.
ASIDES = re.compile(r"explanation|reasoning|thought|thinking|old|original")
FILE_TOOLS = frozenset(("file_write", "file_edit"))
FROM_FILE = "from_file_content"
MOST_TEXTS = 16
# Characters of a content, as the standard proposes; and how much of an input is looked through.
LONGEST = 65_536
DEEPEST, WIDEST = 4, 64


def extract(event: Event) -> list[Artifact]:
    """All artifacts of an action, in a fixed order; those that an emitter gave come last."""
    if "action_name" not in event.facts:
        return event.artifacts if event.read_back else []
    artifacts = of_fields(event)
    command = event.facts.get("command")
    if command is not None:
        artifacts = _with_named(artifacts, command)
    return (
        _with_given(artifacts, event.artifacts)
        if event.read_back and event.artifacts
        else artifacts
    )


def of_fields(event: Event) -> list[Artifact]:
    """Whole values of an action's fields, and the places of its secrets."""
    facts = event.facts
    artifacts: list[Artifact] = []
    if "action_name" not in facts:
        return artifacts
    arguments = event.input
    places: dict[str, str] = {}
    for fact, kind in TARGETS:
        value = facts.get(fact)
        if value is not None:
            # A question about a call has no separate input: its fact says where the value is.
            asked = arguments is None and event.hook_point is None
            places[fact] = fact if asked else _field(arguments, value)
            artifacts.append((kind, value, places[fact], ""))
    category = facts.get("action_category")
    context = FROM_FILE if category in FILE_TOOLS else ""
    if arguments and category != "other":
        artifacts += _texts_of(event, arguments, category == "delegate", context)
    if event.secrets:
        artifacts += _credentials(event, places, context)
    return artifacts


def rendered(artifacts: Iterable[Artifact]) -> list[dict[str, str]]:
    """Artifacts as objects; one without a context has no such key."""
    return [
        {"type": kind, "value": value, "source_field": field, "context": context}
        if context
        else {"type": kind, "value": value, "source_field": field}
        for kind, value, field, context in artifacts
    ]


def read_artifacts(given: Any) -> list[Artifact]:
    """The artifacts of a line, without what is not one."""
    names = ("type", "value", "source_field", "context")
    return [
        tuple(row[name] if type(row.get(name)) is str else "" for name in names)  # type: ignore[misc]
        for row in (given if type(given) is list else ())
        if type(row) is dict and row.get("type") in TYPES and type(row.get("value")) is str
    ]


def _with_named(found: list[Artifact], command: str) -> list[Artifact]:
    """With what the command line names; it is read only where it can name something."""
    from hookstream.shell.facts import can_name, facts_of

    if not can_name(command):
        return found
    command_facts = facts_of(command)
    if not (command_facts.addresses or command_facts.packages or command_facts.contexts):
        return found
    field = next((where for kind, _, where, _ in found if kind == "command"), "tool_input")
    used = ", ".join(command_facts.contexts)
    artifacts = [
        (kind, value, at, used if kind == "command" else how) for kind, value, at, how in found
    ]
    named = [
        ("url" if mention.is_url else "network_address", mention.text, field, mention.context)
        for mention in command_facts.addresses
    ]
    named += [("package", mention.text, field, "") for mention in command_facts.packages]
    return artifacts + [mention for mention in dict.fromkeys(named) if mention not in artifacts]


def _with_given(found: list[Artifact], given: Iterable[Artifact]) -> list[Artifact]:
    """With those that a line brought along and that were not found again, and with the contexts
    that it gives to the others."""
    fields = {_name(one): one[2] for one in found}
    known = {(*_name(one), one[2]) for one in found}
    texts = {(one[0], one[2]) for one in found if one[0] in TEXTS}
    rows = [(*one[:2], one[2] or fields.get(_name(one), ""), one[3]) for one in given]
    said = {(*_name(one), one[2]): one[3] for one in rows if one[3]}
    if said:
        found = [(*one[:3], _both(one[3], said.get((*_name(one), one[2]), ""))) for one in found]
    return found + [
        one
        for one in rows
        if one[0] in TYPES and (*_name(one), one[2]) not in known and (one[0], one[2]) not in texts
    ]


def _name(artifact: Artifact) -> tuple[str, str]:
    """The thing that an artifact is, a file by one spelling of its path."""
    kind, value = artifact[:2]
    return kind, one_spelling(value) if kind == "file_path" else value


def _both(own: str, given: str) -> str:
    """Two contexts as one list of words, each once."""
    words = [*own.split(", "), *given.split(", ")]
    return ", ".join(dict.fromkeys(word for word in words if word))


def _credentials(event: Event, places: dict[str, str], context: str) -> Iterator[Artifact]:
    """The secrets that privacy found: what it put in their place, and where."""
    for rule, path, _ in sorted(event.secrets):
        at = places.get(path) or PLACES.get(path, path)
        if at.startswith("input"):
            at = f"tool_{at}"
        yield "credential", f"[REDACTED:{rule}]", at, context if path.startswith("input") else ""


def _texts_of(
    event: Event, given: dict[str, Any], is_delegate: bool, context: str
) -> list[Artifact]:
    """The content among a tool's arguments: texts, or their digests."""
    artifacts: list[Artifact] = []
    own = event.content_arguments
    # In the order in which a line that is read again has them.
    for name in sorted(given)[:WIDEST]:
        value = given[name]
        if not value or type(value) not in (str, dict, list):
            continue
        squeezed = _squeezed(name)
        if name not in own and (squeezed not in CONTENT_ARGUMENTS or squeezed in KEPT_ARGUMENTS):
            continue
        if ASIDES.match(squeezed):
            continue
        kind = "prompt_fragment" if is_delegate or squeezed in PROMPTS else "content"
        how = context if kind == "content" else ""
        if type(value) is str:
            artifacts.append((kind, value[:LONGEST], f"tool_input.{name}", how))
        else:
            artifacts += [
                (kind, text[:LONGEST], path, how)
                for path, text in _texts(value, f"tool_input.{name}")
                if text and not _is_kept(path)
            ]
        if len(artifacts) >= MOST_TEXTS:
            break
    return artifacts[:MOST_TEXTS]


_known_names: dict[str, str] = {}


def _squeezed(name: str) -> str:
    """The name of an argument without case and separators, as the lists of names have it."""
    squeezed = _known_names.get(name)
    if squeezed is None:
        squeezed = name.lower().replace("_", "").replace("-", "").replace(" ", "")
        if len(_known_names) < 4096 and len(name) < 128:
            _known_names[name] = squeezed
    return squeezed


def _is_kept(path: str) -> bool:
    """Return whether a text below a content argument is an argument itself or an aside."""
    name = _squeezed(path.rpartition(".")[2].partition("[")[0])
    return name in KEPT_ARGUMENTS or ASIDES.match(name) is not None


def _field(given: dict[str, Any] | None, value: str) -> str:
    """The place of the value in the tool's input: a path, at least that of the input itself."""
    for name in sorted(given or ()):
        if given is not None and given[name] == value:
            return f"tool_input.{name}"
    for path, text in _texts(given, "tool_input"):
        if text == value:
            return path
    return "tool_input"


def _texts(value: Any, path: str, depth: int = DEEPEST) -> list[tuple[str, str]]:
    """(path, text) of every text in a tree, in the order of its keys."""
    if type(value) is str:
        return [(path, value)]
    if depth == 0:
        return []
    if type(value) is dict:
        pairs = [(f"{path}.{key}", value[key]) for key in sorted(value)]
    elif type(value) is list:
        pairs = [(f"{path}[{at}]", item) for at, item in enumerate(value[:WIDEST])]
    else:
        return []
    return [text for way, item in pairs for text in _texts(item, way, depth - 1)]
