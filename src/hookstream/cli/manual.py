"""The manual page of the command line: `python -m hookstream.cli.manual > hookstream.1`."""

from __future__ import annotations

from typing import Any

from hookstream.cli.app import COMMANDS
from hookstream.cli.completion import every_command
from hookstream.cli.examples import EXAMPLES
from hookstream.version import __version__

EXITS = {
    "0": "Done.",
    "1": "What was checked is wrong, or --strict.",
    "2": "A wrong command line, setting, rule or file.",
    "3": "Not everything was delivered, or nothing was there to read.",
    "4": "There are rows, with --fail-on-rows.",
    "130": "Interrupted.",
}


def manual() -> str:
    """The page in the man macros."""
    known = dict(every_command())
    lines = [
        f'.TH HOOKSTREAM 1 "" "hookstream {__version__}" "User Commands"',
        ".SH NAME",
        "hookstream \\- one audit stream from every AI coding agent",
        ".SH SYNOPSIS",
        ".B hookstream",
        "\\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]",
    ]
    for section, names in COMMANDS.items():
        lines.append(f".SH {_text(section.upper())} COMMANDS")
        for name, command in known.items():
            if name.split()[0] in names:
                lines += _command(name, command)
    lines.append(".SH EXIT STATUS")
    for code, meaning in EXITS.items():
        lines += [".TP", f".B {code}", _text(meaning)]
    return "\n".join(lines) + "\n"


def _command(name: str, command: Any) -> list[str]:
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    usage = "".join(f" \\fI{_text(argument.name.upper())}\\fR" for argument in arguments)
    lines = [f".SS hookstream {_text(name)}{usage}", _text(" ".join((command.help or "").split()))]
    for param in command.params:
        text = _text(" ".join((getattr(param, "help", None) or "").split()))
        if param.param_type_name == "option":
            names = ", ".join(
                f"\\fB{_text(opt)}\\fR" for opt in (*param.opts, *param.secondary_opts)
            )
            lines += [".TP", names, text or "\\&"]
        elif text:
            lines += [".TP", f"\\fI{_text(param.name.upper())}\\fR", text]
    lines += [".PP", "Examples:", ".nf", ".RS"]
    lines += [_text(f"hookstream {line}") for line in EXAMPLES[name]]
    return [*lines, ".RE", ".fi"]


def _text(text: str) -> str:
    """A text without what the macros would read as theirs."""
    made = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{made}" if made.startswith((".", "'")) else made


if __name__ == "__main__":
    print(manual(), end="")
