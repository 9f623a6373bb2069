"""Recall, words lost and false alarms of redactors on the same labelled strings, in two corpora.

The first was written beside the rules, the second apart from them (see held.py).

    python benchmarks/redaction/run.py [--seed N] [--by-kind] [--misses N]

Recall is over secrets; personal data (addresses, numbers of people, cards, accounts), which not
every tool looks for, stands apart. A secret counts as removed when no 12 characters of it in a row
(all of it, if shorter) are left. A word is lost when a word around the secret is gone from the
output. A false alarm is a clean string that came out changed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import held
from clean import CLEAN
from clean_seen import SEEN
from contexts import BARE, NAMED, SAID
from kinds import BLOCKS, PERSONAL, TOKENS, VALUES
from tools import TOOLS

# (kind, context, text, the secret as it stands there)
Labelled = tuple[str, str, str, str]


def secrets(seed: int) -> list[Labelled]:
    rng = random.Random(seed)
    out: list[Labelled] = []
    for kinds, contexts, rounds in (
        (TOKENS, {**NAMED, **BARE}, 1),
        (VALUES, {**NAMED, **SAID}, 2),
        (PERSONAL, BARE, 2),
    ):
        for _ in range(rounds):
            for kind, name, make in kinds:
                for context, place in contexts.items():
                    if kinds is VALUES and context in SAID and "assword" not in kind:
                        continue
                    if kinds is PERSONAL and context.startswith("url"):
                        continue
                    text, shown = place(name, make(rng))
                    out.append((kind, context, text, shown))
    for kind, _, make in BLOCKS:
        for context in ("json", "json-in-json", "yaml-quoted", "python", "shell-export", "diff"):
            text, shown = NAMED[context]("KEY_FILE", make(rng))
            out.append((kind, context, text, shown))
        key = make(rng)
        out.append((kind, "file", f"cat id_rsa\n{key}\ndone\n", key))
    return out


def clean(seed: int, each: int = 420) -> list[tuple[str, str]]:
    rng = random.Random(seed + 1)
    every = {**CLEAN, **SEEN}
    return [(kind, make(rng)) for kind, make in every.items() for _ in range(each)]


def is_removed(secret: str, output: str) -> bool:
    size = 12
    if len(secret) <= size:
        return secret not in output
    return not any(secret[at : at + size] in output for at in range(len(secret) - size + 1))


def words_lost(text: str, secret: str, output: str) -> tuple[int, int]:
    """(words around the secret that are gone, words around the secret)."""
    around = text.replace(secret, " ").split()
    left = output.split()
    counts: dict[str, int] = {}
    joined = " ".join(left)
    lost = 0
    for word in around:
        core = word.strip("\"'`,;:(){}[]<>&=")
        if len(core) < 2 or core in counts:
            continue
        counts[core] = 1
        lost += core not in joined
    return lost, len(counts)


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--by-kind", action="store_true")
    parser.add_argument("--misses", type=int, default=0, help="show so many of our misses")
    parser.add_argument("--only", help="run only the tool whose name begins so")
    options = parser.parse_args()
    report(secrets(options.seed), clean(options.seed), options)
    print("\n## Held-out contexts and kinds\n")
    report(held.secrets(options.seed), held.clean(options.seed), options)
    return 0


def report(
    labelled: list[Labelled], harmless: list[tuple[str, str]], options: argparse.Namespace
) -> None:
    """One corpus: its size and the table of redactors."""
    rows: list[list[str]] = []
    by_kind: dict[str, dict[str, list[int]]] = {}
    names: list[str] = []
    for tool in TOOLS:
        if options.only and not tool.__name__.startswith(options.only):
            continue
        try:
            name, redact = tool()
        except ImportError as error:
            print(f"{tool.__name__}: not installed ({error.name})", file=sys.stderr)
            continue
        names.append(name)
        rows.append(measure(name, redact, labelled, harmless, by_kind, options.misses))
    kinds = len({kind for kind, _, _, _ in labelled})
    places = len({context for _, context, _, _ in labelled})
    print(
        f"{len(labelled)} secrets of {kinds} kinds in {places} contexts, "
        f"{len(harmless)} clean strings\n"
    )
    header = ["redactor", "recall", "personal data", "words lost", "false alarms", "strings/s"]
    print(table(header, rows))
    if options.by_kind:
        print()
        lines = [
            [
                kind,
                *(f"{sum(by_kind[name][kind]) / len(by_kind[name][kind]):.2f}" for name in names),
            ]
            for kind in sorted({kind for kind, _, _, _ in labelled})
        ]
        print(table(["kind", *names], lines))


def measure(name, redact, labelled, harmless, by_kind, show):  # type: ignore[no-untyped-def]
    kinds = by_kind.setdefault(name, {})
    lost = words = alarms = 0
    personal = {kind for kind, _, _ in PERSONAL}
    removed: dict[bool, list[bool]] = {True: [], False: []}
    began = time.perf_counter()
    outputs = [redact(text) for _, _, text, _ in labelled]
    cleaned = [redact(text) for _, text in harmless]
    elapsed = time.perf_counter() - began
    for (kind, context, text, secret), output in zip(labelled, outputs, strict=True):
        gone = is_removed(secret, output)
        removed[kind in personal].append(gone)
        kinds.setdefault(kind, []).append(gone)
        if gone:
            missing, total = words_lost(text, secret, output)
            lost += missing
            words += total
            if missing and show > 0:
                show -= 1
                print("LOST", kind, context, repr(text), "->", repr(output), file=sys.stderr)
        elif show > 0:
            show -= 1
            print("MISS", kind, context, repr(text), "->", repr(output), file=sys.stderr)
    for (kind, text), output in zip(harmless, cleaned, strict=True):
        if output != text:
            alarms += 1
            if show > 0:
                show -= 1
                print("ALARM", kind, repr(text), "->", repr(output), file=sys.stderr)
    return [
        name,
        f"{sum(removed[False]) / len(removed[False]):.4f}",
        f"{sum(removed[True]) / len(removed[True]):.2f}" if removed[True] else "",
        f"{lost / max(words, 1):.2%}",
        f"{alarms / len(harmless):.2%}",
        f"{(len(labelled) + len(harmless)) / elapsed:,.0f}",
    ]


if __name__ == "__main__":
    raise SystemExit(main())
