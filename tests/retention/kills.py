"""Kill a retention at every point: run as a program, prints `steps` and what went wrong.

Children are forked before any thread runs; an audit hook ends one at its Nth change of a file. The
next child must find a folder that verifies, finish, and find nothing more to do.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from hookstream.retention.policy import DAY_S
from hookstream.seal.sealed import SEALS
from retention.test_retention import days, users
from seal.retaining import new_operator, retain
from seal.stage import Stage

CHANGES = {"os.rename", "os.remove", "os.truncate", "os.rmdir", "os.mkdir", "shutil.rmtree"}
WRITING = os.O_WRONLY | os.O_RDWR


def die_at(count: int) -> None:
    left = count

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        change = event in CHANGES
        if event == "open" and len(arguments) == 3 and isinstance(arguments[2], int):
            change = bool(arguments[2] & WRITING)
        if change:
            left -= 1
            if left == 0:
                os._exit(9)

    sys.addaudithook(hook)


def forked(work: object) -> int:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()  # type: ignore[operator]
            code = 0
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", flush=True)
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main(tmp: Path, kind: str, step: int) -> None:
    whole = tmp / "whole"
    pem = tmp / "operator.pem"
    sealed = (whole / "out" / SEALS).is_dir()

    def policy(stage: Stage) -> None:
        operator = new_operator_at(pem) if sealed else None
        retain(stage, operator, max_age_s=9 * DAY_S, content_max_age_s=8 * DAY_S)

    number = 1
    while True:
        place = tmp / "again"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(whole, place)
        stage = stage_at(place, kind, tmp)

        def killed(stage: Stage = stage, number: int = number) -> None:
            die_at(number)
            policy(stage)

        def after(stage: Stage = stage) -> None:
            whole_again(stage, sealed)
            policy(stage)
            whole_again(stage, sealed)
            assert sorted(days(stage)) == ["2026-03-02", "2026-03-03"], days(stage)
            assert sum(users(stage).values()) == 8, users(stage)
            assert not list(stage.folder.glob(".retention/*/")), "left over"

        code = forked(killed)
        if forked(after):
            print(f"killed at step {number}: see above", flush=True)
            sys.exit(1)
        if code == 0:
            break
        number += step
    print(f"steps {number}")


def stage_at(place: Path, kind: str, tmp: Path) -> Stage:
    """The copy, with the keys under its own name."""
    from hookstream.seal.sealed import key_path

    stage = Stage(place, kind, standard="both")
    stage.standard = "both"
    for log in (place / "out" / SEALS).glob("[!.]*"):
        old = key_path(stage.sealing.keys, tmp / "whole" / "out", log.name)
        if old.exists():
            old.rename(key_path(stage.sealing.keys, stage.folder, log.name))
    return stage


def whole_again(stage: Stage, sealed: bool) -> None:
    from hookstream.seal.verify import verify

    if sealed:
        verify(stage.folder, against=stage.second if stage.second.exists() else None)


def new_operator_at(pem: Path):  # type: ignore[no-untyped-def]
    from hookstream.seal.operator import Operator

    return Operator.load(str(pem)) if pem.exists() else new_operator(pem)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
