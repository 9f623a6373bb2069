"""The output of install and uninstall: a line per file, for --dry-run the diff and a summary."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hookstream.capture.install.engine import FileChange
    from hookstream.normalizers.client import Client


def show(changes: list[tuple[Client, FileChange]], wrap: bool = False) -> int:
    """Print what would change; how many files would be left alone because of a problem."""
    problems = 0
    for agent in dict.fromkeys(agent.key for agent, _ in changes):
        mine = [change for one, change in changes if one.key == agent and not change.is_none]
        events = sum(change.events() for change in mine)
        if mine:
            print(f"# {agent}: {count(events, 'event')} in {count(len(mine), 'file')}")
    for _, change in changes:
        sys.stdout.write(change.diff())
        tell_foreign(change)
        if wrap:
            tell_unwrapped(change)
        if change.problem is not None:
            problems += 1
            print(f"hookstream: {change.problem}", file=sys.stderr)
    return problems


def tell(agent: Client, changes: list[FileChange], done: str, nothing: str) -> int:
    """One line a file that changed, or one line that nothing did; how many are left alone."""
    touched = [change for change in changes if not change.is_none and change.problem is None]
    wrong = [change for change in changes if change.problem is not None]
    if len(touched) > 3:
        folders = dict.fromkeys(str(change.file.path.parent) for change in touched)
        print(f"{agent.key}: {done}, {len(touched)} files in {', '.join(folders)}")
    else:
        for change in touched:
            print(f"{agent.key}: {done}, {change.file.path}")
    for change in changes:
        tell_foreign(change)
        if change.backup is not None:
            print(f"{agent.key}: edited since it was installed; a copy lies at {change.backup}")
    for change in wrong:
        print(f"hookstream: {change.problem}", file=sys.stderr)
    if not touched and not wrong and nothing:
        print(f"{agent.key}: {nothing}")
    return len(wrong)


def tell_foreign(change: FileChange) -> None:
    """Commands that run hookstream and that install has not written."""
    if change.problem is None:
        for text in change.file.foreign(change.new):
            print(f"left alone, no line that install writes, {change.file.path}: {text}")


def tell_unwrapped(change: FileChange) -> None:
    """The hooks of others that --wrap leaves alone, and why."""
    if change.problem is None:
        for text in change.file.not_wrapped(change.new):
            print(f"not wrapped, {change.file.path}: {text}")


def tell_telemetry(agent: Client, changes: list[FileChange]) -> None:
    """The result for a client's telemetry."""
    from hookstream.capture.install.telemetry import WithTelemetry

    for change in changes:
        if isinstance(change.file, WithTelemetry) and change.problem is None:
            other = change.file.elsewhere(change.new)
            if other:
                print(f"{agent.key}: telemetry left alone, it is exported already: {other}")
            return
    why = agent.telemetry.switch or "no telemetry of its own is known"
    print(f"{agent.key}: {why}")


def count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
