"""completion: a shell's completion, made from the commands and options that there are.

The script knows everything itself: pressing Tab starts no Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from hookstream.core.errors import invalid_choice

SHELLS = ("bash", "zsh", "fish")
ASIDE = re.compile(r" \([^)]*\)")
CHOICES = re.compile(r"[a-z][\w-]*(?: \| [a-z][\w-]*)+")
# Commands whose first argument is one of the clients.
OF_CLIENTS = ("install", "uninstall", "status", "backfill", "vendors", "wrap")

BASH = """\
# hookstream completion bash > ~/.local/share/bash-completion/completions/hookstream
_hookstream() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} key= words= n
  for ((n = 1; n < COMP_CWORD; n++)); do
    case "${{key:+$key }}${{COMP_WORDS[n]}}" in
      {known}) key="${{key:+$key }}${{COMP_WORDS[n]}}" ;;
      *) break ;;
    esac
  done
  case "$key $prev" in
{values}
  esac
  if [[ -z $words ]]; then case "$key" in
{commands}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}}
complete -o default -o bashdefault -F _hookstream hookstream
"""

ZSH = """\
# in ~/.zshrc: source <(hookstream completion zsh)
autoload -U +X compinit bashcompinit
(( $+functions[compdef] )) || compinit -u
bashcompinit
"""


def completion(shell: Annotated[str, typer.Argument(help=" | ".join(SHELLS))]) -> None:
    """Print the completion of a shell."""
    if shell not in SHELLS:
        raise invalid_choice("SHELL", shell, SHELLS)
    print({"bash": bash, "zsh": zsh, "fish": fish}[shell](), end="")


def every_command() -> Iterator[tuple[str, Any]]:
    """Each command by the words that name it, groups before what is in them."""
    from hookstream.cli.app import MODULES, commands_of

    for name, module in MODULES.items():
        command = commands_of(module)[name]
        if name == "ship":
            from hookstream.cli.ship import described

            command = described(command)
        yield name, command
        for inner, one in getattr(command, "commands", {}).items():
            yield f"{name} {inner}", one


def options_of(command: Any) -> dict[str, tuple[str, ...]]:
    """The long options of a command, each with the values it may have if they are few."""
    found = {}
    for param in command.params:
        names = (*param.opts, *param.secondary_opts) if param.param_type_name == "option" else ()
        values = () if getattr(param, "is_flag", False) else choices_of(param)
        found.update({name: values for name in names if name.startswith("--")})
    return {**found, "--help": ()}


def choices_of(parameter: Any) -> tuple[str, ...]:
    """The values that the help of a parameter lists: a | b (in words) | c."""
    text = ASIDE.sub("", getattr(parameter, "help", None) or "")
    match = CHOICES.search(text)
    return tuple(match[0].split(" | ")) if match else ()


def words_of(name: str, command: Any) -> list[str]:
    """The words that can follow the name of a command."""
    inner = list(getattr(command, "commands", {}))
    if name in OF_CLIENTS:
        from hookstream.normalizers import VENDORS

        inner += VENDORS
    elif name == "query":
        from hookstream.queries.catalog import queries

        inner += queries()
    for param in command.params:
        inner += choices_of(param) if param.param_type_name == "argument" else ()
    return [*inner, *options_of(command)]


def bash() -> str:
    commands, values, known = [], [], []
    top = [name for name, _ in every_command() if " " not in name]
    commands.append(f'    "") words="{" ".join([*top, "--version", "--help"])}" ;;')
    for name, command in every_command():
        known.append(f'"{name}"')
        commands.append(f'    "{name}") words="{" ".join(words_of(name, command))}" ;;')
        for option, some in options_of(command).items():
            if some:
                values.append(f'    "{name} {option}") words="{" ".join(some)}" ;;')
    return BASH.format(
        known="|".join(known), values="\n".join(values), commands="\n".join(commands)
    )


def zsh() -> str:
    """The script of bash, in the form that zsh runs it."""
    return f"{ZSH}{bash().partition(chr(10))[2]}"


def fish() -> str:
    lines = [
        "# hookstream completion fish > ~/.config/fish/completions/hookstream.fish",
        "complete -c hookstream -n __fish_use_subcommand -l version",
    ]
    for name, command in every_command():
        summary = _quoted(command.get_short_help_str(200))
        outer, _, inner = name.rpartition(" ")
        seen = f"__fish_seen_subcommand_from {outer}" if outer else "__fish_use_subcommand"
        lines.append(f"complete -c hookstream -n '{seen}' -a {inner} -d {summary}")
        here = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in name.split())
        for option, some in options_of(command).items():
            text = f" -xa '{' '.join(some)}'" if some else ""
            lines.append(f"complete -c hookstream -n '{here}' -l {option[2:]}{text}")
        words = [one for one in words_of(name, command) if not one.startswith("--")]
        if words and not getattr(command, "commands", None):
            lines.append(f"complete -c hookstream -n '{here}' -a '{' '.join(words)}'")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
