"""Changed tables against the golden files: which change of a client's table does no sample notice?

A mutant is a client's `table.py`, `calls.py` or `wording.py` with one change: a fact dropped (an
entry of a dictionary, a keyword, an element, a word of a list of paths), a condition turned, a
string changed. Each runs in a process of its own through all samples of its client; it dies where
they give anything but what is written beside them, or where a sample of any client is another's
once its vendor's key is taken away.

    python -m benchmarks.mutants                       # 30 of each client
    python -m benchmarks.mutants --all cursor kiro     # all of two clients
    python -m benchmarks.mutants --tests tests/normalizers/test_cursor.py -- cursor

`--tests` tries what no sample notices on these tests too.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec, module_from_spec
from multiprocessing import get_context
from pathlib import Path

import pytest
from tests import test_golden as golden

from hookstream import normalizers
from hookstream.core.clients import VENDORS

FILES = ("table", "calls", "wording")
# Read by no run: texts for people, and what questions over a lake ask (tests/tables).
UNREAD = frozenset(("note", "absent", "capabilities"))
# Seconds after which a mutant hangs.
TIMEOUT = 300
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn,
    ast.NotIn: ast.In, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
}  # fmt: skip
PATHS = re.compile(r"[a-z_][\w.]*(?: [\w.]+)+|[A-Z]\w*(?: [A-Z]\w*)+")


# Every single change of a syntax tree: it holds while the generator waits, and is then taken back.
Changes = Iterator[tuple[int, str]]


def changes(node: ast.AST) -> Changes:
    """Each change of what a run reads below a node, as (line, text)."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.expr):
                if is_derived(child):
                    continue
                yield from changes_of(node, field, child)
            elif isinstance(child, ast.AST) and not is_unread(child):
                yield from changes(child)


def changes_of(parent: ast.AST, field: str, node: ast.expr) -> Changes:
    match node:
        case ast.Dict():
            yield from dropped(node, node.values, node.keys)
        case ast.Tuple(ctx=ast.Load()) | ast.List(ctx=ast.Load()) | ast.Set():
            yield from dropped(node, node.elts)
        case ast.Call():
            yield from dropped(node, node.keywords)
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield from replaced(node, node, "op", other, "and/or")
        case ast.Compare(ops=[operator]):
            yield from replaced(node, node, "ops", [OPPOSITE[type(operator)]()], "turned")
        case ast.Constant(value=str()) if not hasattr(node, "is_read_twice"):
            yield from changed(node, node.value)
    if field == "test" and not isinstance(node, ast.Compare):
        yield from replaced(node, parent, "test", ast.UnaryOp(ast.Not(), node), "turned")
    yield from changes(node)


def dropped(
    node: ast.expr, parts: list[ast.expr] | list[ast.keyword], *keys: list[ast.expr | None]
) -> Changes:
    """Each part of a list left out, and its key."""
    for number, part in enumerate(parts):
        if is_unread(part) or is_derived(part):
            continue
        name = keys[0][number] if keys else None
        kept = [values.pop(number) for values in (parts, *keys)]
        yield part.lineno, f"dropped {label(name or part)}"
        for values, value in zip((parts, *keys), kept, strict=True):
            values.insert(number, value)


def replaced(node: ast.expr, parent: ast.AST, field: str, value: object, text: str) -> Changes:
    before = getattr(parent, field)
    text = f"{text}: {label(node)}"
    setattr(parent, field, value)
    yield node.lineno, text
    setattr(parent, field, before)


def changed(node: ast.Constant, text: str) -> Changes:
    """A string with a letter more; a list of paths without each of them."""
    yield from replaced(node, node, "value", f"{text}~", "changed")
    words = text.split(" ") if PATHS.fullmatch(text) else []
    for number, word in enumerate(words):
        rest = " ".join(words[:number] + words[number + 1 :])
        yield from replaced(node, node, "value", rest, f"dropped {word}")


def label(node: ast.AST) -> str:
    return ast.unparse(node).split("\n")[0][:80]


def is_unread(node: ast.AST) -> bool:
    """Return whether no run reads a node: a docstring, types, imports, texts for people."""
    if hasattr(node, "is_unreached"):
        return True
    match node:
        case ast.Import() | ast.ImportFrom() | ast.AnnAssign(value=None):
            return True
        case ast.Expr(value=ast.Constant()) | ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.keyword(arg=name):
            return name in UNREAD
    return False


def is_derived(node: ast.expr) -> bool:
    """Return whether a node is a row for the coverage alone: detectors derive its event."""
    if not isinstance(node, ast.Call):
        return False
    name = ast.unparse(node.func).rpartition(".")[2]
    return name in ("tool_failed", "model_failed") or any(
        part.arg == "derived" and ast.unparse(part.value) == "True" for part in node.keywords
    )


def modules_of(client: str) -> list[str]:
    """The client's files that its hooks read. What session files alone read has no payload: the
    doors of tests/normalizers/test_wording.py and tests/transcripts hold it."""
    package = f"hookstream.normalizers.{VENDORS[client]}"
    below = read_by_hooks(package)
    return [name for part in FILES if (name := f"{package}.{part}") in below and find_spec(name)]


@cache
def read_by_hooks(package: str) -> frozenset[str]:
    """The modules of a client that its table is made of."""
    below = {f"{package}.table"}
    while more := {name for module in below for name in imports(module)} - below:
        below |= more
    return frozenset(below)


def imports(module: str) -> Iterator[str]:
    """The modules of the same client that one imports."""
    spec = find_spec(module)
    path = Path(spec.origin) if spec is not None and spec.origin else None
    package = module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))) if path is not None else ():
        if isinstance(node, ast.ImportFrom) and node.module == package:
            yield from (f"{package}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and str(node.module).startswith(f"{package}."):
            yield str(node.module)


def tree_of(module: str) -> ast.Module:
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text("utf-8"))
    mark_read_twice(tree)
    mark_unreached(module, tree)
    return tree


def mark_unreached(module: str, tree: ast.Module) -> None:
    """Mark what no hook reads of a module: session files and telemetry have other doors, and rows
    for the coverage alone are never built."""
    package, _, name = module.rpartition(".")
    wanted = {"VENDOR"}
    for other in read_by_hooks(package) - {module}:
        spec = find_spec(other)
        if spec is not None and spec.origin:
            text = ast.unparse(observed(Path(spec.origin).read_text("utf-8")))
            wanted |= set(re.findall(rf"\b{name}\.(\w+)", text))
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.ImportFrom) and node.module == module:
                    names = {alias.name for alias in node.names}
                    wanted |= {each for each in names if len(re.findall(rf"\b{each}\b", text)) > 1}
    body = observed(ast.unparse(tree)).body
    owners = {each: node for node in body for each in names_of(node)}
    for statement in body:
        if not names_of(statement):
            wanted |= {each.id for each in ast.walk(statement) if isinstance(each, ast.Name)}
    while (
        more := {
            each.id
            for one in wanted & owners.keys()
            for each in ast.walk(owners[one])
            if isinstance(each, ast.Name) and each.id in owners
        }
        - wanted
    ):
        wanted |= more
    for node in tree.body:
        if names_of(node) and not wanted & set(names_of(node)):
            node.is_unreached = True  # type: ignore[attr-defined]


class Observed(ast.NodeTransformer):
    """A module without the rows for the coverage alone."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return ast.Constant(None) if is_derived(node) else self.generic_visit(node)


def observed(text: str) -> ast.Module:
    tree = Observed().visit(ast.parse(text))
    assert isinstance(tree, ast.Module)
    return tree


def names_of(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [each.id for part in targets for each in ast.walk(part) if hasattr(each, "id")]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def mark_read_twice(tree: ast.Module) -> None:
    """Mark the paths that a function is said to read where another source names them too: without
    them nothing changes."""
    texts = [node for node in ast.walk(tree) if isinstance(node, (ast.Constant, ast.JoinedStr))]
    words = Counter(word for node in texts for word in set(written(node).split()))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("reads", "parts_of")):
            for path in node.args:
                names = written(path).split()
                if sum(words[name] > 1 for name in names) == len(names):
                    for part in ast.walk(path):
                        part.is_read_twice = True  # type: ignore[attr-defined]


def written(node: ast.AST) -> str:
    """A text as the file has it, the names of its parts in braces."""
    match node:
        case ast.JoinedStr(values=values):
            return "".join(map(written, values))
        case ast.FormattedValue(value=value):
            return f"{{{ast.unparse(value)}}}"
    return str(getattr(node, "value", ""))


def load(module: str, tree: ast.Module) -> None:
    """Put a changed module in the place of its own, before anything imports that."""
    assert module not in sys.modules, module
    spec = find_spec(module)
    assert spec is not None
    sys.modules[module] = module_from_spec(spec)
    code = compile(ast.fix_missing_locations(tree), str(spec.origin), "exec")
    exec(code, sys.modules[module].__dict__)
    package, _, name = module.rpartition(".")
    setattr(sys.modules[package], name, sys.modules[module])


def load_others(client: str) -> None:
    """Load the tables of the clients that build on nothing of this one, once for all mutants."""
    golden.scanner()
    builds_on = {folder: set(imported(folder)) for folder in VENDORS.values()}
    for key, folder in VENDORS.items():
        below = {folder}
        while more := {name for one in below for name in builds_on.get(one, ())} - below:
            below |= more
        if VENDORS[client] not in below:
            normalizers.compiled(key)


def imported(folder: str) -> list[str]:
    """The folders of other clients that the modules of one import."""
    files = Path(normalizers.__file__).parent.joinpath(folder).glob("*.py")
    return re.findall(
        r"hookstream\.normalizers\.(\w+)", "".join(file.read_text("utf-8") for file in files)
    )


# Trials.


def samples(client: str) -> list[Path]:
    return [path for path in golden.PAYLOADS if path.parent.name == client]


def answers(client: str) -> Iterator[list[str]]:
    """What each sample gives, and whose events they are where no record names its vendor; of the
    samples of other clients the last alone."""
    for path in samples(client):
        yield golden.lines(path)
        yield whose(path)
    for path in golden.PAYLOADS:
        if path.parent.name != client:
            yield whose(path)


def whose(path: Path) -> list[str]:
    line = golden.pipeline()
    line.new_source(head=lambda: golden.head_of(path))
    bare = [(without_vendor(given[0]), *given[1:]) for given in golden.unread(path)]
    events, rejections = line.take_all(bare)
    named = [f"{event.vendor} {event.type} {event.facts['native_event']}" for event in events]
    return [*named, *(rejection.reason for rejection in rejections)]


def without_vendor(line: bytes) -> bytes:
    record = json.loads(line)
    record.pop("vendor", None)
    return json.dumps(record).encode()


def in_fork(work: Callable[[], object]) -> str | None:
    """What the work gives, as JSON, in a process of its own; None where it raises or hangs."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(reading)
            for stream in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
            signal.alarm(TIMEOUT)
            with os.fdopen(writing, "w") as pipe:
                pipe.write(json.dumps(work()))
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    return text if os.waitpid(pid, 0)[1] == 0 else None


def judged(
    client: str, numbers: set[int], wanted: list[list[str]], tests: list[str]
) -> list[tuple[int, str, str]]:
    """What kills each of these mutants, "golden", "tests" or nothing: (number, place, verdict)."""
    verdicts = []
    number = -1
    for module in modules_of(client):
        tree = tree_of(module)
        for line, text in changes(tree):
            number += 1
            if number in numbers:
                file = "/".join(module.split(".")[2:])
                verdict = verdict_of(client, module, tree, wanted, tests)
                verdicts.append((number, f"{file}.py:{line}: {text}", verdict))
    return verdicts


def verdict_of(
    client: str, module: str, tree: ast.Module, wanted: list[list[str]], tests: list[str]
) -> str:
    def by_samples() -> object:
        load(module, tree)
        return all(have == want for have, want in zip(answers(client), wanted, strict=True))

    def by_tests() -> object:
        load(module, tree)
        return int(pytest.main(["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]))

    if in_fork(by_samples) != "true":
        return "golden"
    return "tests" if tests and in_fork(by_tests) != "0" else "live"


def work(share: tuple[str, set[int], list[list[str]], list[str]]) -> list[tuple[int, str, str]]:
    load_others(share[0])
    return judged(*share)


def of_client(client: str, options: argparse.Namespace) -> list[tuple[int, str, str]]:
    """The verdicts on a client's mutants, all or a sample that depends on the seed."""
    wanted = json.loads(in_fork(lambda: [*answers(client)]) or "[]")
    number = sum(1 for module in modules_of(client) for _ in changes(tree_of(module)))
    numbers = [*range(number)]
    if not options.all and options.number < number:
        numbers = random.Random(f"{options.seed} {client}").sample(numbers, options.number)
    shares = [
        (client, set(numbers[part :: options.jobs]), wanted, options.tests)
        for part in range(options.jobs)
    ]
    with get_context("fork").Pool(options.jobs) as pool:
        return sorted(verdict for part in pool.map(work, shares) for verdict in part)


def main() -> int:
    parser = argparse.ArgumentParser(description="Kill mutants of the clients' tables by samples.")
    parser.add_argument("clients", nargs="*", default=[*VENDORS])
    parser.add_argument("--all", action="store_true", help="all mutants, not a sample of them")
    parser.add_argument("--number", type=int, default=30, help="of each client")
    parser.add_argument("--seed", type=int, default=44)
    parser.add_argument("--tests", nargs="+", default=[], help="test files for what lives")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--least", type=float, default=95.0, help="percent to be killed")
    options = parser.parse_args()
    golden.scanner()
    total = killed = 0
    print(f"{'client':14} mutants golden  tests   live")
    for client in options.clients:
        verdicts = of_client(client, options)
        counts = {name: sum(v[2] == name for v in verdicts) for name in ("golden", "tests", "live")}
        total, killed = total + len(verdicts), killed + counts["golden"]
        figures = " ".join(f"{count:6}" for count in (len(verdicts), *counts.values()))
        print(f"{client:14} {figures}", flush=True)
        for _, place, verdict in verdicts:
            if verdict != "golden":
                print(f"    {verdict:5} {place}", flush=True)
    share = 100 * killed / max(total, 1)
    print(f"{killed} of {total} are killed by samples: {share:.1f} %")
    return 0 if share >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
