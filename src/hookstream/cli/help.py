"""The help of a command: usage, options by subject, two examples; made without another library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from hookstream.core.interrupt import raised_within

if TYPE_CHECKING:
    from collections.abc import Callable

    from typer._click import Context, HelpFormatter

F = TypeVar("F", bound="Callable[..., Any]")
# Commands with so many options have one group.
FEW = 5
OTHER = "Other options"
# subject -> options that belong to it, in whichever command; "command --option" goes before.
SUBJECTS: dict[str, tuple[str, ...]] = {
    "Which records": (
        "--since", "--until", "--tool", "--session", "--machine", "--user", "query --new",
        "--threshold", "--roster", "--vendor", "--witness", "--home", "--level",
        "--loop-failures", "--loop-unchanged", "--event", "retain --log",
    ),
    "How long": ("--max-age", "--content-max-age", "--max-bytes"),
    "Rules": (
        "--rules", "--tuning", "--list", "--test", "--new", "--call", "--loop-threshold",
    ),
    "Output": tuple((
        "--to --standard --format --columns --vertical --sort --limit --pager --out --summary "
        "--report --prices --strict --fail-on-rows --dry-run --proof"
    ).split()),
    "Privacy": ("--privacy", "--personal", "--hash-key-file", "--pseudonym-key-file", "--allow"),
    "Seal": (
        "--seal", "--seal-to", "verify --key", "--against", "--operator", "--operator-key",
        "--line", "--tables",
    ),
    "Where it listens": (
        "--socket", "--http", "--otlp-grpc", "--max-body", "--machine-rate",
    ),
    "Where it writes": ("serve --log", "--fleet", "serve --name"),
    "Credentials": ("--token-file", "--machines", "--tls-cert", "--tls-key", "--client-ca"),
    "Delivery": ("--follow", "--config", "--state", "--stuck-after", "--once"),
    "Figures and logs": ("--metrics", "--metrics-otlp", "--log-format", "--log-level"),
    "What is registered": ("--all", "--scope", "--mod", "--wrap", "--telemetry", "--telemetry-url"),
}  # fmt: skip
TIMES = ("since", "until", "now", "max-age", "content-max-age")
KINDS = {"path": "PATH", "file": "PATH", "int": "N", "float": "SECONDS"}
# Where the option's last word does not name its value.
VALUES = {
    "--to": "SINK",
    "--seal-to": "PLACE",
    "--metrics": "[HOST:]PORT",
    "--metrics-otlp": "URL",
    "--http": "HOST:PORT",
    "--otlp-grpc": "HOST:PORT",
    "--sort": "COLUMN",
    "--columns": "A,B,C",
    "--new": "NAME",
    "--call": "ID",
    "--event": "ID",
    "--id": "ID",
    "--witness": "KINDS",
    "--personal": "KINDS",
    "--privacy": "MODE",
    "--rules": "PATH",
    "--max-body": "BYTES",
    "--max-bytes": "BYTES",
    "--machine-rate": "N",
    "--socket": "PATH",
    "--fleet": "PATH",
    "--machines": "PATH",
    "--log": "PATH",
    "--tls-cert": "PATH",
    "--tls-key": "PATH",
    "--client-ca": "PATH",
    "--token-file": "PATH",
}


class Part(typer.Typer):
    """Commands with this module's help."""

    def command(self, name: str | None = None, **options: Any) -> Callable[[F], F]:
        return super().command(name, **{"cls": GroupedHelp, **options})


def write_examples(command: Any, formatter: HelpFormatter) -> None:
    """The last lines of a help, as they are: a shell's line is not wrapped."""
    formatter.write_paragraph()
    formatter.write(f"{command.epilog or ''}\n")


class GroupedHelp(TyperCommand):
    """A command that shows its options by subject."""

    def invoke(self, ctx: Context) -> Any:
        with raised_within():
            return super().invoke(ctx)

    def collect_usage_pieces(self, ctx: Context) -> list[str]:
        return ["[OPTIONS]", *map(piece, arguments_of(self.get_params(ctx)))]

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        params = self.get_params(ctx)
        if arguments := [
            (named(argument), argument.help or "") for argument in arguments_of(params)
        ]:
            with formatter.section("Arguments"):
                formatter.write_dl(arguments)
        for subject, options in by_subject(ctx.command_path.partition(" ")[2], params):
            with formatter.section(subject):
                formatter.write_dl([record(option, ctx) for option in options])

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        write_examples(self, formatter)


class HelpOfGroup(TyperGroup):
    """A command of commands, with examples."""

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        write_examples(self, formatter)


def arguments_of(params: list[Any]) -> list[Any]:
    return [param for param in params if param.param_type_name == "argument"]


def by_subject(command: str, params: list[Any]) -> list[tuple[str, list[Any]]]:
    """Return (subject, its options) of a command; one group where there are few."""
    options = [param for param in params if param.param_type_name == "option" and not param.hidden]
    if len(options) - any("--help" in option.opts for option in options) <= FEW:
        return [("Options", options)]
    subjects: dict[str, list[Any]] = {subject: [] for subject in (*SUBJECTS, OTHER)}
    for option in options:
        subjects[subject_of(command, option.opts[-1])].append(option)
    return [(subject, found) for subject, found in subjects.items() if found]


def subject_of(command: str, option: str) -> str:
    """The subject of a command's option."""
    for name in (f"{command} {option}", option):
        for subject, options in SUBJECTS.items():
            if name in options:
                return subject
    return OTHER


def named(argument: Any) -> str:
    """An argument's name as help shows it: LAKE, CLIENTS..."""
    name = str(argument.name).upper()
    return f"{name}..." if argument.nargs == -1 else name


def piece(argument: Any) -> str:
    return named(argument) if argument.required else f"[{named(argument)}]"


def record(option: Any, ctx: Context) -> tuple[str, str]:
    """An option's spelling and text, with its default where the text does not name it. A switch
    that is off is shown without its opposite."""
    text = option.help or ""
    spelling = ", ".join(option.opts)
    if option.is_flag:
        opposite = [] if option.default is False else option.secondary_opts
        return ", ".join([spelling, *opposite]), text
    default = option.get_default(ctx, call=False)
    if default not in (None, "", [], ()) and "default" not in text.lower():
        text = (
            f"{text} [default: {default:g}]"
            if type(default) is float
            else f"{text} [default: {default}]"
        )
    return f"{spelling} {value_of(option)}", text


def value_of(option: Any) -> str:
    """The word for an option's value."""
    name = option.opts[-1]
    if name.lstrip("-") in TIMES:
        return "TIME"
    kind = KINDS.get(option.type.name.partition(" ")[0])
    return kind or VALUES.get(name) or name.lstrip("-").rpartition("-")[2].upper()
