"""The choice to show one's own prompts in the pages of one's own lake: asked once, remembered."""

from __future__ import annotations

import sys
from pathlib import Path

from hookstream.configuration import machine
from hookstream.configuration.catalog import BY_NAME
from hookstream.configuration.files import parse_toml, user_layer
from hookstream.configuration.layers import DEFAULT, OPTION, Configuration, Layer, settle
from hookstream.core.errors import HookstreamError, invalid_choice
from hookstream.core.files import make_private, write_private
from hookstream.core.folders import state_path

CHOICE = "choice at the first start"
QUESTION = """\
Show your own prompts in the pages? Sessions are then titled by their first prompt and can be read.
They are read from your session files when a page needs them, without secrets, and kept and sent
nowhere. `hookstream ui --prompts show` or `hide` changes this later. Show them? [y/N] """


def prompts_shown(option: str | None) -> bool:
    """The machine's policy, the choice that was remembered, the user's file and the option, the
    later over the earlier unless the policy locks it; else ask, on a terminal. HookstreamError for
    an option that cannot be."""
    choices = BY_NAME["prompts"].choices
    if option is not None and option not in choices:
        raise invalid_choice("--prompts", option, choices)
    found = _settled(option)
    for refused in found.refused:
        if refused.origin == OPTION:
            raise HookstreamError("--prompts show: the machine policy locks prompts")
    if option is not None:
        _remember(option)
    elif found.origins["prompts"] == DEFAULT and "prompts" not in found.locked and _is_terminal():
        answer = _asked()
        _remember(answer)
        return answer == "show"
    return bool(found.values["prompts"] == "show")


def _settled(option: str | None) -> Configuration:
    place = _place()
    remembered = None
    if (text := _read(place)) is not None:
        remembered = Layer(CHOICE, str(place), {"prompts": text})
    layer = Layer(OPTION, "", {"prompts": option}) if option is not None else None
    return settle([machine.read(parse_toml), remembered, user_layer(), layer])


def _place() -> Path:
    return state_path("own", "prompts")


def _read(place: Path) -> str | None:
    """The remembered word; None if it cannot be read."""
    try:
        text = place.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return text if text in BY_NAME["prompts"].choices else None


def _remember(word: str) -> None:
    place = _place()
    try:
        make_private(place.parent)
        write_private(place, f"{word}\n")
    except OSError as error:
        raise HookstreamError(f"{place}: {error.strerror}") from None


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _asked() -> str:
    print(QUESTION, end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline().strip().lower()
    return "show" if answer in ("y", "yes") else "hide"
