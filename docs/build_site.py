"""The reference pages of the site, made from the code: questions, sinks, clients, settings, the
command line, the Python API, and the columns of the data dictionary.

python docs/build_site.py    writes build/site-docs: a copy of docs/ and these pages
"""

from __future__ import annotations

import ast
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import hookstream
from hookstream.capture.install.homes import SCOPES, InstallFolders
from hookstream.capture.install.registered import config_files, installable
from hookstream.cli.app import COMMANDS
from hookstream.cli.completion import every_command
from hookstream.cli.examples import EXAMPLES
from hookstream.cli.manual import EXITS
from hookstream.configuration.catalog import TABLE, Setting
from hookstream.configuration.reference import LOCKS
from hookstream.configuration.reference import values_of as values_of_setting
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.lake.dictionary import meaning
from hookstream.normalizers import VENDORS, WITHOUT_HOOKS, compiled, has_table
from hookstream.normalizers.client import client_of
from hookstream.normalizers.hook_facts import HookFacts, hook_facts
from hookstream.normalizers.proofs import PROOFS, proofs
from hookstream.pipeline.coverage import events_of
from hookstream.queries.catalog import Query, shipped
from hookstream.queries.formats import as_markdown
from hookstream.queries.runner import Result, ask, open_stream
from hookstream.queries.stream import OpenStream
from hookstream.sinks.kinds import SinkKind, SinkOption
from hookstream.sinks.reference import kinds, spelt, values_of

ROOT = Path(__file__).parents[1]
# Pages at the root of the source.
OUTSIDE = ("SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md")
TARGET = ROOT / "build" / "site-docs"
# Of an answer that is shown: its rows, its columns, the characters of a cell.
ROWS, SHOWN, WIDE = 4, 8, 48
CUT = "..."


def main(target: Path = TARGET) -> None:
    """Write all pages."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "docs", target, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    for name in OUTSIDE:
        text = (ROOT / name).read_text("utf-8").replace("](docs/", "](")
        for other in OUTSIDE:
            text = text.replace(f"]({other}", f"]({other.lower()}")
        write(target / name.lower(), [text])
    reference = target / "reference"
    write_questions(reference / "questions")
    write_sinks(reference / "sinks", target / "sinks.md")
    write_clients(reference / "clients")
    write_commands(reference / "commands")
    write(reference / "settings.md", settings())
    write(reference / "python.md", python())
    add_anchors(target / "data-dictionary.md")
    for page in target.rglob("*.md"):
        page.write_text(without_source_links(page, target), "utf-8")
        page.write_text(with_page_links(page, target), "utf-8")
        page.write_text(with_sink_links(page), "utf-8")
        if page.name != "glossary.md":
            page.write_text(with_meanings(page), "utf-8")


def on_config(config: Any) -> Any:
    """Give the navigation every page of a folder: the hook that mkdocs.yml names."""
    config["nav"] = expanded(config["nav"], Path(config["docs_dir"]))
    return config


def expanded(entry: Any, target: Path) -> Any:
    """An entry of the navigation, each folder replaced by its pages."""
    if isinstance(entry, dict):
        return {title: expanded(inner, target) for title, inner in entry.items()}
    if isinstance(entry, list):
        return [expanded(inner, target) for inner in entry]
    if not entry.endswith("/"):
        return entry
    first = ("index", "README")
    pages = sorted((target / entry).glob("*.md"), key=lambda one: (one.stem not in first, one.stem))
    return [f"{entry}{page.name}" for page in pages]


def without_source_links(page: Path, target: Path) -> str:
    """The text of a page; files of the source that the site lacks are named and not linked."""

    def kept(match: re.Match[str]) -> str:
        text, link = match.groups()
        path = link.partition("#")[0]
        if not path or ":" in path or (page.parent / path).exists():
            return match[0]
        place = (ROOT / "docs" / page.relative_to(target).parent / path).resolve()
        name = place.relative_to(ROOT) if place.is_relative_to(ROOT) else place
        if not place.exists():
            return match[0]
        return f"`{name}`" if text.strip("`/") in str(name) else f"{text} (`{name}`)"

    return re.sub(r"(?<!!)\[([^\]\n]+)\]\(([^)\s]+)\)", kept, page.read_text("utf-8"))


def with_page_links(page: Path, target: Path) -> str:
    """The text of a page, in which docs/NAME.md, as texts of the code say it, is a link."""
    up = "../" * (len(page.relative_to(target).parts) - 1)

    def link(match: re.Match[str]) -> str:
        return f"[{match[2]}]({up}{match[1]}.md)" if match[1] else match[0]

    pattern = r"```.*?```|`[^`\n]*`|\[[^\]]*\]\([^)]*\)|\bdocs/((?:[\w-]+/)*([\w-]+))\.md"
    return re.sub(pattern, link, page.read_text("utf-8"), flags=re.DOTALL)


def with_sink_links(page: Path) -> str:
    """The text of a page, in which a section of docs/sinks.md is the page of that kind."""
    names = "|".join(kind.name for kind in kinds())
    return re.sub(
        rf"\]\(([./]*)sinks\.md#({names})\)",
        r"](\1reference/sinks/\2.md)",
        page.read_text("utf-8"),
    )


def glossary() -> dict[str, str]:
    """word -> its meaning, as docs/glossary.md has them."""
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]+) \| (.+) \|$", text, re.MULTILINE)
    return {word: meaning for word, meaning in rows if word not in ("word", "---")}


# Words of ours that a reader cannot know; a page shows their meaning where it uses them.
OURS = (
    *("assurance", "bypass", "capture log", "capture scope", "certainty", "dead letter"),
    *("fingerprint", "gap", "hook point", "lake", "launcher", "roster", "spool", "synthesized"),
    *("unmapped", "vendor key", "witness"),
)


def with_meanings(page: Path) -> str:
    """The text of a page, with the meanings of our words at its end, for their tooltips."""
    text = page.read_text("utf-8")
    known = glossary()
    used = []
    for word in OURS:
        plain_text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", known[word])
        forms = (word, word.capitalize(), f"{word}s", "witnesses" if word == "witness" else word)
        used += [f"*[{form}]: {plain_text}" for form in dict.fromkeys(forms) if form in text]
    return "\n".join([text, *used, ""]) if used else text


def write(path: Path, parts: Iterable[str]) -> None:
    """Write the parts of a page, those that are empty left out."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join(part.strip("\n") for part in parts if part) + "\n", "utf-8")


def table(header: str, rows: Iterable[Iterable[str]]) -> str:
    """A table of cells that are Markdown already; the header's cells are separated by bars."""
    names = header.split("|")
    lines = [names, ["---"] * len(names), *(list(row) for row in rows)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def anchored(name: str, anchor: str = "") -> str:
    """A name in code with an anchor, for a cell."""
    return f'<a id="{anchor or name}"></a>`{name}`'


def plain(text: str) -> str:
    """A text for a cell: one line, its bars and angle brackets escaped."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


# Questions


def write_questions(folder: Path) -> None:
    rows = []
    with tempfile.TemporaryDirectory() as place:
        source = str(ROOT / "samples")
        execute(Job([source], [f"parquet:{place}/lake"], pseudonyms=Path(place) / "key"))
        with open_stream(f"{place}/lake") as stream:
            for name, question in shipped().items():
                rows.append((f"[{name}]({name}.md)", plain(question.description)))
                write(folder / f"{name}.md", question_page(stream, name, question))
    about = (
        "`hookstream query NAME LAKE` answers one. `--since`, `--until`, `--tool` and `--session` "
        "narrow it, `--columns` and `--sort` arrange it, `--format` is for programs "
        "([all options](../commands/query.md)). You can [add your own](../../questions.md)."
    )
    write(folder / "index.md", ("# Questions", about, table("question|what it answers", rows)))


def question_page(stream: OpenStream, name: str, question: Query) -> Iterator[str]:
    """Description, columns with their meaning, and the first rows over the samples."""
    answer = ask(stream, name, limit=ROWS)
    shows = question.shows or answer.columns
    yield f"# {name}"
    yield question.description
    yield question.notes
    yield f"```sh\nhookstream query {name} LAKE\n```"
    if question.wants_session:
        yield "It is meant for one session: add `--session ID`."
    yield (
        f"`--since` and `--until` are about `{question.time}`."
        if question.time
        else "`--since` and `--until` narrow the events that the question is asked of."
    )
    yield "## Columns"
    yield table(
        "column|in a terminal|meaning",
        (
            (anchored(column), "yes" if column in shows else "", plain(meaning(name, column)))
            for column in answer.columns
        ),
    )
    yield "## An answer"
    yield "The first rows over `samples/` of the source; wide texts and further columns are cut."
    yield example(answer, shows)


def example(answer: Result, shows: list[str]) -> str:
    if not answer.rows:
        return "No rows: nothing in the samples answers it."
    places = [answer.columns.index(name) for name in shows]
    places = [at for at in places if any(row[at] is not None for row in answer.rows)][:SHOWN]
    rows = [tuple(cut(row[at]) for at in places) for row in answer.rows]
    return as_markdown([answer.columns[at] for at in places], rows)


def cut(value: Any) -> Any:
    """A text that fits a cell, its middle left out."""
    if not isinstance(value, str) or len(value) <= WIDE:
        return value
    kept = (WIDE - len(CUT)) // 2
    return f"{value[:kept]}{CUT}{value[-kept:]}"


# Sinks


def write_sinks(folder: Path, page: Path) -> None:
    """A page per kind, its prose from its section of docs/sinks.md, which keeps what all share."""
    text = page.read_text("utf-8")
    for kind in kinds():
        section = section_of(text, kind.name)
        text = text.replace(section, "")
        write(folder / f"{kind.name}.md", sink_page(kind, section))
    rows = [(f"[{one.name}:]({one.name}.md)", one.targets, one.delivered) for one in kinds()]
    for kind in kinds():
        text = text.replace(f"| `{kind.name}:` |", f"| [{kind.name}:]({page_of(kind)}) |")
    page.write_text(text, "utf-8")
    about = "What all share (the file, filters, credentials, formats): [sinks](../../sinks.md)."
    write(folder / "index.md", ("# Kinds of sink", about, table("sink|target|delivered", rows)))


def page_of(kind: SinkKind) -> str:
    return f"reference/sinks/{kind.name}.md"


def section_of(text: str, kind: str) -> str:
    """The section of a kind in docs/sinks.md, from its heading to the next."""
    start = text.find(f"### `{kind}:`")
    if start < 0:
        raise LookupError(f"docs/sinks.md: needs a section ### `{kind}:`")
    end = re.compile(r"^##", re.MULTILINE).search(text, start + 3)
    return text[start : end.start() if end else len(text)]


def sink_page(kind: SinkKind, section: str) -> Iterator[str]:
    prose = re.sub(r"\]\((?!http)", "](../../", section.partition("\n")[2])
    before, _, after = prose.partition(f"<!-- options of {kind.name} -->")
    yield f"# {kind.name}:"
    yield before
    yield table(
        "|",
        (
            ("target", f"`{kind.name}:` and {kind.targets}"),
            ("delivered means", kind.delivered),
            ("possible duplicates after a crash", kind.duplicates),
            ("a follower flushes", f"every {kind.flush_s:g} s"),
        ),
    )
    yield "## An example"
    yield "In the file of `hookstream run --config`:"
    yield f"```toml\n[[sink]]\n{kind.example}```"
    yield "## Options"
    yield (
        "A sink of a file also has `name`, `uri`, `standard`, `only`, `except`, `sample` and "
        "`flush_s`: [the file](../../sinks.md#the-file)."
    )
    yield table("option|values|default|meaning", map(option_row, kind.options))
    if notes := after.partition("<!-- end -->")[2].strip():
        yield "## Notes"
        yield notes


def option_row(option: SinkOption) -> tuple[str, ...]:
    default = "" if option.default is None else f"`{spelt(option.default)}`"
    return anchored(option.name), values_of(option), default, option.help


# Clients

WITNESSES = {"hooks": "hook", "session files": "transcript", "telemetry": "telemetry"}
INSTALLED = {client.key for client in installable()}
TELEMETRY = "../../telemetry.md"
OTHER_WAYS = {
    "aos": "`hookstream serve` answers AOS requests, and `hookstream run` reads lines of them: "
    f"[telemetry]({TELEMETRY}).",
    "prisma-airs": "`hookstream run` reads the lines that the plugin logs.",
    "kiro": "Register `hookstream hook kiro EVENT` in its hooks by hand; "
    "`hookstream hook --command kiro EVENT` prints the line.",
    "otel-genai": "`hookstream serve` takes OpenTelemetry, and "
    f"[adapters]({TELEMETRY}#adapters) record callbacks.",
}
# What a policy hook may do at an event: normalizers/hook_facts.py.
POWERS = {
    "tool": "may refuse the action",
    "gate": "may refuse what the event announces",
    "noted": "is heard and not obeyed",
    "turn": "may send the agent back to work",
    "after": "may comment on what has happened",
}


def write_clients(folder: Path) -> None:
    rows = []
    for key in (*VENDORS, *WITHOUT_HOOKS):
        title = client_of(key).title
        read = [word for word, witness in WITNESSES.items() if has_table(key, witness)]
        witnesses = [word for word in read if word != "hooks" or key in VENDORS]
        rows.append((f"[{title}]({key}.md)", f"`{key}`", ", ".join(witnesses)))
        write(folder / f"{key}.md", client_page(key, title))
    about = (
        "A page per client: how to capture it, its hook events, and what its records prove. "
        "`hookstream vendors NAME` prints the same tables."
    )
    index = table("client|key in `tool`|what is read", sorted(rows))
    write(folder / "index.md", ("# Clients", about, index))


def client_page(key: str, title: str) -> Iterator[str]:
    yield f"# {title}"
    yield "## Capture"
    yield from capture_of(key)
    if key in VENDORS:
        yield from hooks_of(key)
    if key in PROOFS:
        yield "## What its records prove"
        yield (
            "*yes*: the witness proves the fact alone; *partly*: without proof or without an id; "
            "*no*: it does not show it; *none*: hookstream reads no such witness."
        )
        columns = "fact|hooks|session file|telemetry"
        yield table(columns, ([row[one] for one in columns.split("|")] for row in proofs(key)))
        yield plain(client_of(key).remark)


def capture_of(key: str) -> Iterator[str]:
    if key not in INSTALLED:
        yield OTHER_WAYS.get(key, "`hookstream backfill` and `hookstream run` read its files.")
        return
    agent = client_of(key)
    yield (
        f"```sh\nhookstream install {key} --dry-run\nhookstream install {key}\n"
        f"hookstream status {key}\nhookstream uninstall {key}\n```"
    )
    notes = [note[0].upper() + note[1:] + "." for note in (agent.note, agent.project_note) if note]
    yield plain(" ".join(notes))
    places = InstallFolders(project=Path("/PROJECT"), env={"HOME": "/HOME"}, platform="linux")
    rows = []
    for scope in SCOPES:
        files = (str(file.path) for file in config_files(agent, places, scope))
        shown = (f"`{one.replace('/HOME', '~').replace('/PROJECT/', '')}`" for one in files)
        rows.append((f"`{scope}`", ", ".join(shown) or "none"))
    yield table("scope|files on Linux", rows)
    yield (
        f"Payloads were recorded with version {agent.recorded}."
        if agent.recorded
        else "`samples/SOURCES.md` says where its payloads come from."
    )
    if has_table(key, "transcript"):
        yield f"Session files that exist already: `hookstream backfill {key}`."


def hooks_of(key: str) -> Iterator[str]:
    rows = events_of(key)
    yield "## Hook events"
    yield table(
        "native event|Agent Hooks type|AARTS hook point|registered|a policy hook|note",
        event_rows(key, rows),
    )
    if key in INSTALLED and (left_out := client_of(key).left_out):
        yield "Not registered:"
        yield "\n".join(f"- `{event}`: {plain(reason)}" for event, reason in left_out.items())
    yield silence_of(key)
    yield "## Facts of each event"
    yield (
        "*Native*: a payload has it. *Derived*: concluded from the payload. *Absent*: the "
        "standards have a place for it, and no payload has it."
    )
    columns = ("native facts", "derived facts", "absent facts")
    yield table(
        "native event|type|native|derived|absent",
        (
            [f"`{row['native event']}`", row["Agent Hooks"], *(row[one] for one in columns)]
            for row in rows
            if row["native facts"] or row["derived facts"]
        ),
    )


def event_rows(key: str, rows: list[dict[str, str]]) -> Iterator[list[str]]:
    registered = set(client_of(key).events) if key in INSTALLED else set()
    powers = powers_of(hook_facts(key))
    seen: set[str] = set()
    for row in rows:
        event = row["native event"]
        yield [
            f"`{event}`" if event in seen else anchored(event),
            *(row["Agent Hooks"], row["AARTS"]),
            "yes" if event in registered else "",
            *(powers.get(event, ""), plain(row["note"])),
        ]
        seen.add(event)


def powers_of(facts: HookFacts) -> dict[str, str]:
    """event -> what a policy hook of the client may do there."""
    contracts = [one for one in (facts.verdicts, *facts.dialects.values()) if one is not None]
    return {
        event: POWERS[power]
        for contract in contracts
        for event, power in contract.events.items()
        if power in POWERS
    }


def silence_of(key: str) -> str:
    if compiled(key).vendor.capabilities.silence_means == "refused":
        return (
            "A call without an end was refused where ends of that tool are captured: `inferred` in "
            "`denies`."
        )
    return "A call without an end proves nothing: `gaps` counts it as `unpaired_before`."


# Settings


def settings() -> Iterator[str]:
    yield "# Settings"
    yield (
        "Where settings are read, and what the machine's policy may lock: "
        "[configuration](../configuration.md). Sinks have [options](sinks/index.md)."
    )
    for setting in TABLE:
        yield f"## {setting.name}"
        yield setting.about
        yield table("|", setting_rows(setting))


def setting_rows(setting: Setting) -> Iterator[tuple[str, str]]:
    yield "values", values_of_setting(setting)
    default = setting.default
    yield "default", "unset" if default in (None, [], {}) else f"`{spelt(default)}`"
    if setting.option:
        kind = "option" if setting.option.startswith("--") else "argument"
        yield kind, f"`{setting.option}`"
    if setting.variable:
        yield "variable", f"`{setting.variable}`"
    if setting.readers:
        yield "in the files", f"`{setting.name}`, read by {', '.join(setting.readers)}"
        yield "locked by the policy", LOCKS[setting.when_locked]
    if setting.older:
        yield "in the older `config.json`", f"`{setting.older}`"


# The command line


def write_commands(folder: Path) -> None:
    known = dict(every_command())
    parts = ["# Command line", "`hookstream COMMAND --help` prints the same."]
    for section, commands in COMMANDS.items():
        rows = [(f"[{name}]({name}.md)", plain(summary)) for name, (_, summary) in commands.items()]
        parts += [f"## {section}", table("command|", rows)]
        for name in commands:
            inner = [one for one in known if one.startswith(f"{name} ")]
            blocks = [text for one in (name, *inner) for text in command_page(one, known[one])]
            write(folder / f"{name}.md", blocks)
    parts += ["## Exit codes", table("code|meaning", EXITS.items())]
    write(folder / "index.md", parts)


def command_page(name: str, command: Any) -> Iterator[str]:
    inner = name.partition(" ")[2]
    prefix = f"{inner}-" if inner else ""
    yield f"## {name}" if inner else f"# {name}"
    yield " ".join((command.help or "").split()).replace("<", "&lt;")
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    places = (one.name.upper() if one.required else f"[{one.name.upper()}]" for one in arguments)
    usage = " ".join(["hookstream", name, "[OPTIONS]", *places])
    yield f"```text\n{usage}\n```"
    lines = "\n".join(f"hookstream {line}" for line in EXAMPLES[name])
    yield f"```sh\n{lines}\n```"
    rows = [
        (anchored(one.name.upper(), f"{prefix}{one.name}"), plain(one.help or ""), "")
        for one in arguments
        if getattr(one, "help", None)
    ]
    options = (one for one in command.params if one.param_type_name == "option")
    rows += [option_of_command(one, prefix) for one in options]
    yield table("argument or option|meaning|default", rows) if rows else ""


def option_of_command(one: Any, prefix: str) -> tuple[str, str, str]:
    names = [*one.opts, *one.secondary_opts]
    cell = ", ".join(anchored(name, prefix + name.strip("-")) for name in names)
    is_unset = one.default in (None, False, "", ()) or callable(one.default)
    shown = "" if is_unset else f"`{spelt(one.default)}`"
    return cell, plain(getattr(one, "help", None) or ""), shown


# The Python API

# The modules with names for programs: a title, and the names.
PYTHON: dict[str, tuple[str, Iterable[str]]] = {
    "hookstream": ("Python API", hookstream.__all__),
    "hookstream.pipeline.state": (
        "The pipeline over Arrow",
        ["State", "StateError", "normalise"],
    ),
    "hookstream.integrations.claude_agent_sdk": ("Claude Agent SDK", ["hooks"]),
    "hookstream.integrations.crewai": ("CrewAI", ["watch"]),
    "hookstream.integrations.google_adk": ("Google ADK", ["AdkWatch"]),
    "hookstream.integrations.langchain": ("LangChain", ["LangChainWatch"]),
    "hookstream.integrations.openai_agents": ("OpenAI Agents SDK", ["watch"]),
    "hookstream.integrations.pydantic_ai": ("Pydantic AI", ["PydanticWatch"]),
    "hookstream.integrations.spans": ("OpenTelemetry SDK", ["GenAiSpans"]),
}
EXAMPLE = """```python
import hookstream

for event in hookstream.read("samples/codex"):
    print(event.type, event.facts.get("command"))
```"""


def python() -> Iterator[str]:
    """Names and docstrings, read from the source: adapters need their frameworks to be imported."""
    for module, (title, names) in PYTHON.items():
        tree = parsed(module)
        yield f"# {title}" if module == "hookstream" else f"## {title}"
        yield literal(ast.get_docstring(tree) or "")
        yield EXAMPLE if module == "hookstream" else ""
        for name in names:
            if not name.startswith("__"):
                yield from public_name(f"{module}.{name}", definition(tree, name))


def parsed(module: str) -> ast.Module:
    source = ROOT / "src" / module.replace(".", "/")
    path = source / "__init__.py" if source.is_dir() else source.with_suffix(".py")
    return ast.parse(path.read_text("utf-8"))


def definition(tree: ast.Module, name: str) -> ast.FunctionDef | ast.ClassDef:
    """The definition of a name, followed through imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            return node
        if isinstance(node, ast.ImportFrom) and name in {one.name for one in node.names}:
            return definition(parsed(node.module or ""), name)
    raise LookupError(name)


def public_name(path: str, node: ast.FunctionDef | ast.ClassDef) -> Iterator[str]:
    yield f"### {path}"
    yield f"```python\n{signature(node)}\n```"
    yield literal(ast.get_docstring(node) or "")
    for method in node.body if isinstance(node, ast.ClassDef) else ():
        is_public = isinstance(method, ast.FunctionDef) and not method.name.startswith("_")
        if is_public and (text := ast.get_docstring(method)):
            yield f"`{signature(method)}`"
            yield literal(text)


def signature(node: ast.FunctionDef | ast.ClassDef) -> str:
    if isinstance(node, ast.FunctionDef):
        result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        return f"def {node.name}({ast.unparse(node.args)}){result}"
    made = next((one for one in node.body if getattr(one, "name", "") == "__init__"), None)
    given = ast.unparse(made.args).removeprefix("self").removeprefix(", ") if made else ""
    return f"class {node.name}({given})"


def literal(text: str) -> str:
    """A docstring as Markdown: angle brackets outside code are text."""
    return re.sub(r"<(?=[a-z/])(?![^`\n]*`)", "&lt;", text)


# The data dictionary


def add_anchors(page: Path) -> None:
    """Give each row of the data dictionary an anchor of its column's name."""
    text = page.read_text("utf-8")
    text = re.sub(r"^(\| )(?!column \|)([\w.]+)(?= \|)", named, text, flags=re.MULTILINE)
    page.write_text(re.sub(r"^(- )`(\w+)`", named, text, flags=re.MULTILINE), "utf-8")


def named(match: re.Match[str]) -> str:
    return match[1] + anchored(match[2])


if __name__ == "__main__":
    main()
