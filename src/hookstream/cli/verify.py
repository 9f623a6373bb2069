"""verify: whether a sealed stream is what was sealed; proofs that an event is in one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hookstream.cli.places import local
from hookstream.cli.progress import bar
from hookstream.core.errors import HookstreamError
from hookstream.core.files import write_private
from hookstream.core.logs import say


def verify(
    path: Annotated[
        Path, typer.Argument(help="A sealed folder, lake or file; with --line, a proof.")
    ],
    key: Annotated[
        str | None, typer.Option(help="The first public key, or a file of such keys.")
    ] = None,
    against: Annotated[
        Path | None, typer.Option(help="Checkpoints of a second place, or of another copy.")
    ] = None,
    operator: Annotated[
        str | None, typer.Option(help="Public key of who may remove records, or a file of such.")
    ] = None,
    strict: Annotated[
        bool, typer.Option(help="Exit 1 for anything that a thief could hide behind, too.")
    ] = False,
    tables: Annotated[
        bool,
        typer.Option(help="Derive a lake's tables again and compare them."),
    ] = True,
    event: Annotated[str | None, typer.Option(help="Prove that this event_id is in it.")] = None,
    proof: Annotated[Path | None, typer.Option(help="Where to write the proof.")] = None,
    line: Annotated[
        Path | None, typer.Option(help="A file with one event; PATH is its proof. Needs --key.")
    ] = None,
) -> None:
    """Check a sealed stream. Exit 0 whole, 1 with the first bad place, 2 cannot be checked."""
    from hookstream.seal import SealError
    from hookstream.seal.chain import BrokenSeal
    from hookstream.seal.operator import keys_in
    from hookstream.seal.verify import verify as check

    path = local(path)
    if not path.exists():
        raise HookstreamError(f"{path}: no such file or folder")
    try:
        pinned = _key_text(key)
        if line is not None:
            _check_proof(path, line, pinned)
            return
        if event is not None:
            _prove(path, event, proof)
            return
        operators = keys_in(operator) if operator is not None else None
        with bar("records"):
            made = check(path, pinned, against, operators=operators, tables=tables)
    except BrokenSeal as broken:
        print(broken)
        raise typer.Exit(1) from None
    except SealError as error:
        raise HookstreamError(str(error)) from None
    for verdict in made:
        say(str(verdict))
    doubts = [f"{verdict.name}: {doubt}" for verdict in made for doubt in verdict.doubts]
    if strict and doubts:
        print(doubts[0])
        raise typer.Exit(1)


def _key_text(key: str | None) -> str | None:
    if key is None or "+" in key:
        return key
    try:
        return Path(key).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise HookstreamError(f"--key: {key}: neither a verifier key nor a file of one") from None


def _prove(path: Path, event: str, proof: Path | None) -> None:
    from hookstream.seal.proof import prove
    from hookstream.seal.verify import logs_of

    # Both files of a folder have the event; its Agent Hooks line is meant.
    logs = sorted(logs_of(path), key=lambda one: one[1].name != "agent-hooks.jsonl")
    made = next((made for data, log in logs if (made := prove(data, log, event))), None)
    if made is None:
        raise HookstreamError(f"{path}: holds no {event}, or it is not sealed yet")
    if proof is None:
        print(made.text, end="")
        return
    try:
        write_private(proof, made.text)
    except OSError as error:
        raise HookstreamError(f"--proof: {proof}: {error.strerror}") from None
    say(f"{event}: proof in {proof}, signed by the key")
    print(made.signer)


def _check_proof(path: Path, line: Path, key: str | None) -> None:
    from hookstream.seal import SealError
    from hookstream.seal.chain import BrokenSeal
    from hookstream.seal.note import Verifier
    from hookstream.seal.proof import check

    if key is None:
        raise HookstreamError("--line: name the key that signed the checkpoint with --key")
    verifier = Verifier.parse(key)
    try:
        check(path.read_text("utf-8"), line.read_bytes().rstrip(b"\n"), verifier)
    except (OSError, UnicodeDecodeError):
        raise HookstreamError(f"{path}, {line}: cannot be read") from None
    except SealError as error:
        raise BrokenSeal(str(path), str(error)) from None
    say(f"{line}: is in {verifier.name}")
