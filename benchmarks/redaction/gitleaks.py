"""The samples of gitleaks' own rules, which it must find and must not find.

    python benchmarks/redaction/gitleaks.py CHECKOUT [--misses N]

Read from `cmd/generate/config/rules/*.go`, whose expressions are few: texts, joined texts, random
ones by a pattern, and the forms that `utils/generate.go` puts a secret into. Of a positive a form
counts as removed when no 12 characters of the secret in a row are left; where the source does not
say which part is the secret, when anything was replaced. A negative counts as fired when anything
was replaced.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import string
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from unseen import is_left

import hookstream

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|`[^`]*`|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+'|\w+(?:\.\w+)*|:=|\S""",
    re.DOTALL,
)
FORM = re.compile(r'^\s*"[^"\n]+":\s*("(?:[^"\\]|\\.)*"|`[^`]*`),', re.MULTILINE)
PATTERNS = {
    "Numeric": "[0-9]", "Hex": "[a-f0-9]", "AlphaNumeric": "[a-z0-9]",
    "AlphaNumericExtendedShort": "[a-z0-9_-]", "AlphaNumericExtended": "[a-z0-9=_-]",
    "AlphaNumericExtendedLong": "[a-z0-9/=_+-]",
}  # fmt: skip
UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


class Unreadable(Exception):
    """An expression that is none of the few."""


class Text(NamedTuple):
    """A text, and what of it is known to be secret."""

    text: str
    secret: str = ""


class Reader:
    """The values of the variables of one function, by name."""

    def __init__(self, tokens: list[str], forms: list[str], rng: random.Random) -> None:
        self.tokens, self.forms, self.rng, self.at = tokens, forms, rng, 0
        self.names: dict[str, Any] = {}

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.peek()
        if not token or (wanted and token != wanted):
            raise Unreadable(f"{token!r} in place of {wanted!r}")
        self.at += 1
        return token

    def expression(self) -> Any:
        value = self.term()
        while self.peek() == "+":
            self.take()
            other = self.term()
            value = Text(value.text + other.text, value.secret or other.secret)
        return value

    def term(self) -> Any:
        token = self.take()
        if token[0] == "`":
            return Text(token[1:-1])
        if token[0] == '"':
            return Text(ast.literal_eval(token))
        if token == "[":
            self.take("]")
            self.take("string")
            return [*self.listed("{", "}")]
        if token == "map":
            for sign in "[string]string":
                if sign in "[]":
                    self.take(sign)
                elif self.peek() == "string":
                    self.take()
            return dict(self.pairs())
        if self.peek() == "(":
            return self.call(token, [*self.listed("(", ")")])
        if token in self.names:
            return self.names[token]
        raise Unreadable(token)

    def listed(self, first: str, last: str) -> Iterator[Any]:
        self.take(first)
        while self.peek() != last:
            value = self.expression()
            if self.peek() == ".":  # tps...
                for _ in "...":
                    self.take(".")
                yield from value
            else:
                yield value
            if self.peek() != last:
                self.take(",")
        self.take(last)

    def pairs(self) -> Iterator[tuple[str, Any]]:
        self.take("{")
        while self.peek() != "}":
            key = self.expression()
            self.take(":")
            yield key.text, self.expression()
            if self.peek() != "}":
                self.take(",")
        self.take("}")

    def call(self, name: str, words: list[Any]) -> Any:
        name = name.rpartition(".")[2]
        if name in PATTERNS:
            return Text(f"{PATTERNS[name]}{{{words[0].text}}}")
        if name == "Hex8_4_4_4_12":
            return Text(UUID)
        if name == "NewSecret":
            secret = random_text(words[0].text, self.rng)
            return Text(secret, secret)
        if name == "GenerateSampleSecret":
            return Text(f'{words[0].text}_api_token = "{words[1].text}"', words[1].text)
        if name == "GenerateSampleSecrets":
            return [filled(form, words[0].text, words[1].text) for form in self.forms]
        if name == "Sprintf":
            text, secrets = words[0].text, [word.secret for word in words[1:]]
            for word in words[1:]:
                text = re.sub(r"%[sdv]", lambda _, word=word: word.text, text, count=1)
            return Text(text, max(secrets, key=len, default=""))
        if name == "append":
            return [*words[0], *(word for word in words[1:])]
        if name == "ToUpper":
            return Text(words[0].text.upper(), words[0].secret.upper())
        if name == "ToLower":
            return Text(words[0].text.lower(), words[0].secret.lower())
        raise Unreadable(name)


def filled(form: str, name: str, secret: str) -> Text:
    text = form.replace("{i}", name).replace("{I}", name.upper()).replace("{s}", secret)
    return Text(text, secret)


def random_text(pattern: str, rng: random.Random) -> str:
    """A text that a pattern of classes, groups, choices and counts matches."""
    signs = string.ascii_letters + string.digits

    def of(op: Any, value: Any) -> str:
        name = str(op)
        if name == "LITERAL":
            return chr(value)
        if name == "IN":
            return rng.choice([sign for part in value for sign in within(*part)])
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            least, most, inner = value
            count = rng.randint(least, min(most, least + 20))
            return "".join(of(*one) for _ in range(count) for one in inner)
        if name == "SUBPATTERN":
            return "".join(of(*one) for one in value[-1])
        if name == "BRANCH":
            return "".join(of(*one) for one in rng.choice(value[1]))
        if name == "ANY":
            return rng.choice(signs)
        return ""

    def within(op: Any, value: Any) -> list[str]:
        if str(op) == "RANGE":
            return [chr(code) for code in range(value[0], value[1] + 1)]
        return [chr(value)] if str(op) == "LITERAL" else list(signs)

    parsed = re._parser.parse(pattern)  # type: ignore[attr-defined]
    return "".join(of(*one) for one in parsed)


def samples(checkout: Path, seed: int) -> tuple[list[tuple[str, bool, Text]], Counter[str]]:
    """Rule file, whether it is a positive, and the text; what could not be read, by reason."""
    folder = checkout / "cmd" / "generate" / "config"
    source = (folder / "utils" / "generate.go").read_text()
    forms = [literal(form) for form in FORM.findall(source)]
    rng = random.Random(seed)
    unread: Counter[str] = Counter()
    rows: list[tuple[str, bool, Text]] = []
    for path in sorted((folder / "rules").glob("*.go")):
        for body in re.split(r"^func ", path.read_text(), flags=re.MULTILINE)[1:]:
            tokens = [one for one in TOKEN.findall(body) if not one.startswith(("//", "/*"))]
            for right, value in of_function(Reader(tokens, forms, rng), unread):
                texts = value.values() if isinstance(value, dict) else value
                rows += [(path.stem, right, text) for text in texts]
    return rows, unread


def literal(token: str) -> str:
    return token[1:-1] if token[0] == "`" else str(ast.literal_eval(token))


def of_function(reader: Reader, unread: Counter[str]) -> Iterator[tuple[bool, Any]]:
    """What a function hands to Validate: positives, negatives."""
    tokens = reader.tokens
    for at, token in enumerate(tokens):
        try:
            if token in (":=", "=") and tokens[at - 1].isidentifier():
                reader.at = at + 1
                reader.names[tokens[at - 1]] = reader.expression()
            elif token in ("utils.Validate", "utils.ValidateWithPaths"):
                reader.at = at + 1
                reader.names.update(r=Text(""), nil=[])
                _, positive, negative = reader.listed("(", ")")
                yield True, positive
                yield False, negative
        except Unreadable as error:
            if token.startswith("utils."):
                unread[str(error)] += 1
        except (SyntaxError, ValueError, AttributeError) as error:
            if token.startswith("utils."):
                unread[type(error).__name__] += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--seed", type=int, default=20261129)
    parser.add_argument("--misses", type=int, default=0)
    options = parser.parse_args()
    rows, unread = samples(options.checkout, options.seed)
    right: Counter[bool] = Counter()
    wrong: Counter[bool] = Counter()
    left = options.misses
    for rule, positive, sample in rows:
        shown = hookstream.redact(sample.text)
        is_known = positive and sample.secret and sample.secret in sample.text
        # of `_session=VALUE` the value
        secret = sample.secret.rpartition("=")[2] or sample.secret
        fired = not is_left(secret, shown) if is_known else shown != sample.text
        good = fired is positive
        (right if good else wrong)[positive] += 1
        if not good and left:
            left -= 1
            print(f"{'MISS' if positive else 'FIRED'} {rule}: {sample.text!r} -> {shown!r}")
    print("| samples of gitleaks' rules | of | right | share |\n|---|---|---|---|")
    for positive, name in ((True, "positives, removed"), (False, "negatives, left alone")):
        of = right[positive] + wrong[positive]
        print(f"| {name} | {of} | {right[positive]} | {right[positive] / max(of, 1):.3f} |")
    print("not read:", dict(unread) or "nothing")
    return 0


if __name__ == "__main__":
    sys.exit(main())
