"""The same lines through other engines: hookstream, DuckDB, jq, jaq and Tenzir at 0, 100 and 300
rules.

All map a line to id, session, event, tool and command, replace what the rules find in its text and
write JSON lines. The others get less to do: no decoding of texts, identity, sessions, detection or
second document, and one pattern of all rules over the line. Microseconds of CPU a line, the median
of rounds in turns, what starting costs taken off. A missing peer is named with the reason.
"""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from hookstream.pipeline.stages import Pipeline
from hookstream.redaction import Redactor
from hookstream.redaction.prefilters import relaxed
from hookstream.redaction.rules import rules
from hookstream.redaction.scanner import Scanner

COUNTS = (0, 100, 300)
NOW = "2026-11-21T12:00:00.000Z"
KEYS = ("session_id", "hook_event_name", "tool_name", "tool_use_id")
# Lines for an engine that needs a tenth of a second for each.
FEW = 20
SLOW = ("jq", "jaq")


def patterns(count: int) -> str:
    """The first rules that every engine understands, as one pattern; RE2 has no lookaround."""
    plain = [rule.pattern for rule in rules() if "(?" not in rule.pattern.replace("(?:", "(")]
    return "|".join(f"(?:{relaxed(one)})" for one in plain[:count])


def known(count: int) -> tuple[object, ...]:
    plain = [rule for rule in rules() if "(?" not in rule.pattern.replace("(?:", "(")]
    return tuple(plain[:count])


def hookstream(lines: list[bytes], count: int, out: Path) -> float:
    scanner = Scanner(rule_set=known(count))  # type: ignore[arg-type]
    pipeline = Pipeline(Redactor("redact", pseudonym_key=b"k" * 32, scanner=scanner), lambda: NOW)
    began = time.process_time()
    with out.open("wb") as file:
        for at in range(0, len(lines), 256):
            batch = [(one, "in", at + n) for n, one in enumerate(lines[at : at + 256])]
            for made in pipeline.outcomes(batch, "both"):
                for item in made if isinstance(made, list) else ():
                    file.write(item.agent_hooks + b"\n" + (item.aarts or b""))
    return time.process_time() - began


def duckdb(lines: list[bytes], count: int, out: Path) -> float:
    import duckdb as engine

    source = out.with_suffix(".in")
    source.write_bytes(b"\n".join(lines) + b"\n")
    connection = engine.connect(config={"threads": "1"})
    text = "content"
    if count:
        connection.execute("set variable rules = ?", [patterns(count)])
        text = "regexp_replace(content, getvariable('rules'), '[REDACTED]', 'g')"
    facts = ", ".join(f"json_extract_string(text, '$.{key}') as {key}" for key in KEYS)
    began = time.process_time()
    connection.execute(
        f"copy (select {facts}, json_extract_string(text, '$.tool_input.command') as command, text "
        f"from (select {text} as text from read_csv('{source}', columns = {{content: 'varchar'}}, "
        "header = false, delim = '\\x01', quote = '', escape = '', max_line_size = 4000000))) "
        f"to '{out}' (format json)"
    )
    spent = time.process_time() - began
    connection.close()
    return spent


def jaq(lines: list[bytes], count: int, out: Path, program_name: str = "jaq") -> float:
    fields = ", ".join(KEYS)
    change = (
        f'walk(if type == "string" then gsub({_quoted(patterns(count))}; "[REDACTED]") else . end)'
    )
    program = f"{change} | " if count else ""
    program += f"{{{fields}, command: .tool_input.command?, text: .}}"
    words = [program_name, "-c", program]
    start = _child(words, b"{}\n", out)
    return max(0.0, _child(words, b"\n".join(lines) + b"\n", out) - start)


def jq(lines: list[bytes], count: int, out: Path) -> float:
    return jaq(lines, count, out, "jq")


def tenzir(lines: list[bytes], count: int, out: Path) -> float:
    source = out.with_suffix(".in")
    source.write_bytes(b"\n".join(lines) + b"\n")
    change = f'.replace_regex({_quoted(patterns(count))}, "[REDACTED]")' if count else ""
    program = (
        f'from_file "{source}" {{ read_lines }} | this = {{text: line{change}}} | write_ndjson'
    )
    start = _child(["tenzir", "from {x: 1} | write_ndjson"], b"", out)
    return max(0.0, _child(["tenzir", program], b"", out) - start)


def _quoted(pattern: str) -> str:
    import json

    return json.dumps(pattern)


def _child(words: list[str], given: bytes, out: Path) -> float:
    """CPU seconds of a program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with out.open("wb") as file:
        done = subprocess.run(words, input=given, stdout=file, stderr=subprocess.PIPE)
    if done.returncode:
        raise OSError(done.stderr.decode("utf-8", "replace")[-200:])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(files: list[Path], folder: Path, rounds: int) -> dict[str, dict[str, float | str]]:
    """engine -> number of rules -> CPU us a line, or why there is no figure."""
    lines = [one for file in files for one in file.read_bytes().split(b"\n") if one]
    engines: dict[str, Callable[[list[bytes], int, Path], float]] = {
        "hookstream": hookstream,
        "duckdb": duckdb,
        "jq": jq,
        "jaq": jaq,
        "tenzir": tenzir,
    }
    found: dict[str, dict[str, float | str]] = {name: {} for name in engines}
    hookstream(lines, 0, folder / "warm.out")
    for count in COUNTS:
        times: dict[str, list[float]] = {}
        for _ in range(rounds):
            for name, run in engines.items():
                if name in (*SLOW, "tenzir") and shutil.which(name) is None:
                    found[name]["skipped"] = f"{name} is not installed"
                    continue
                given = lines[:FEW] if name in SLOW and count else lines
                try:
                    spent = run(given, count, folder / f"{name}-{count}.out")
                except Exception as error:
                    said = re.sub(r"\s+", " ", f"{type(error).__name__}: {error}")[:120]
                    found[name][str(count)] = f"skipped: {said}"
                    continue
                times.setdefault(name, []).append(spent / len(given) * 1e6)
        for name, spent_us in times.items():
            found[name][str(count)] = round(median(spent_us), 1)
    return found
