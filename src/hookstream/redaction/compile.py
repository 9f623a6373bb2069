"""Rules from data: reads `rules/*.toml` and writes the modules of `rules/compiled/`.

    python -m hookstream.redaction.compile

A hook then parses nothing. A test holds the two equal. Each file is one family; an entry has

    id          the name in `[REDACTED:<id>]`
    pattern     finds it, as Hyperscan, RE2 and `re` read alike: no look-around, no back-reference
    prefix      or: words that it begins with, then `length` of `chars` (see CHARS), `whole` if it
                ends where a word does (the default for one length of letters and digits)
    begins      or: a name that says secret (see names.toml), then `pattern`
    service     or: words for a service, and its token, the `value`, assigned to a name with one
    near        or: words for a service, and its token, the `value`, up to 120 characters after
    said        or: words for a number, and the number, the `value`, up to 40 characters after them
    tools       or: a tool of words/tools.toml; `command` finds where that takes its secrets
    encodes     or: what words for secrets look like in base64 or hexadecimal digits
    keywords    words in lower case one of which every match holds, whatever its case; `#` is any
                digit
    starts      words in lower case one of which every match begins with, whatever its case
    prefilter   a looser pattern that matches wherever this one does, and costs an automaton less;
                with `begins`, what follows the words that a name holds
    group       the part of the match that is the secret (0, the default: all of it)
    check       what the secret must pass, a name of `validators.CHECKS`; after `extract`, if both
    extract     what finds the secret's extent from the match, a name of `extract.EXTRACTORS`
    confidence  high, the default: known by its format; low: by a name or a place
    source      where the format is documented
    examples, counter_examples    texts that hold such a secret, and that look alike and do not

`¦` in an example is removed: it keeps other scanners from taking the file for a leak.

`rules/words/*.toml` are lists of words, in `[sets]` or, where their order counts, in `[rows]`; next
to the patterns in `places` is written what each needs (see `needed`).
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from re import _constants as signs  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from hookstream.redaction.rules import FAMILIES
from hookstream.redaction.rules.rule import HIGH, LOW

RULES = Path(__file__).parent / "rules"
COMPILED = RULES / "compiled"
LISTS = tuple(sorted(path.stem for path in (RULES / "words").glob("*.toml")))
BREAK = "¦"

# What tokens consist of, and an example of 8 characters of it.
CHARS = {
    "alnum": ("[A-Za-z0-9]", "a1B2c3D4"),
    "url": ("[A-Za-z0-9_-]", "a1B2c3D4"),
    "base64": ("[A-Za-z0-9+/]", "a1B2c3D4"),
    "hex": ("[a-f0-9]", "a1b2c3d4"),
    "any-hex": ("[A-Fa-f0-9]", "a1b2C3D4"),
    "lower": ("[a-z0-9]", "k7m2q9z4"),
    "upper": ("[A-Z0-9]", "K7M2Q9Z4"),
    "colon": ("[A-Za-z0-9:]", "a1B2c3D4"),
    "wide": ("[A-Za-z0-9_.+/=-]", "a1B2c3D4"),
}
_OPEN = ("url", "base64", "colon", "wide")  # may end in a character that is not part of a word
# Between a service's name and its token.
_ASSIGNED = r"[a-z0-9_.-]{0,24}\\{0,3}[\"']?[ \t]{0,4}<assigns>[ \t]{0,4}\\{0,3}[\"']?("
# What may be joined to a word for a number: `ssnNumber`, `ssn_no`.
_NUMBERED = "(?:[ _-]?(?:s|no|nr|num|number|code|id))?"


class Entry:
    """One rule as its file has it, with the columns of its row."""

    def __init__(self, family: str, given: dict[str, Any]) -> None:
        unknown = given.keys() - KNOWN
        if unknown:
            raise ValueError(f"{family}.toml: {given.get('id')}: unknown {', '.join(unknown)}")
        self.family = family
        self.id: str = given["id"]
        self.source: str = given["source"]
        self.keywords = tuple(given.get("keywords", ()))
        self.starts = tuple(given.get("starts", ()))
        self.group: int = given.get("group", 0)
        self.shared = ""
        self.prefilter: str = given.get("prefilter", "")
        self.prefixes: tuple[str, ...] = tuple(given.get("prefix", ()))
        self.examples = tuple(example.replace(BREAK, "") for example in given.get("examples", ()))
        self.counter_examples = tuple(
            example.replace(BREAK, "") for example in given.get("counter_examples", ())
        )
        self.confidence: str = given.get("confidence", HIGH)
        self.check: str = given.get("check", "")
        self.extract: str = given.get("extract", "")
        if self.confidence not in (HIGH, LOW):
            raise ValueError(f"{family}.toml: {self.id}: confidence is {HIGH} or {LOW}")
        self.pattern = self._pattern(given).replace("<assigns>", assigns())
        re.compile(self.pattern, re.ASCII)

    def _pattern(self, given: dict[str, Any]) -> str:
        if "prefix" in given:
            length = str(given["length"])
            closed = given["chars"] not in _OPEN and "," not in length
            return self._prefixed(given["chars"], length, given.get("whole", closed))
        if "service" in given:
            return self._of_service(given["service"], given["value"])
        if "near" in given:
            return self._near(given["near"], given["value"])
        if "said" in given:
            return self._said(given["said"], given["value"])
        if "tools" in given:
            return self._tools()
        if "encodes" in given:
            return self._encoded(given["encodes"])
        pattern: str = given["pattern"]
        if "begins" in given:
            name, keywords, starts = secret_names()
            self.keywords = self.keywords or keywords
            self.starts = starts
            # What matches often would make a shared prefilter match often.
            self.shared = name if given.get("shared", True) else ""
            if self.prefilter:
                self.prefilter = name[: name.rindex(")") + 1] + self.prefilter
            return name + pattern
        return pattern

    def _prefixed(self, chars: str, length: str, whole: bool) -> str:
        words = self.prefixes
        kind, filler = CHARS[chars]
        least = int(length.split(",")[0])
        value = (filler * (least // 8 + 1))[:least]
        self.keywords = tuple(dict.fromkeys(word.lower() for word in words))
        self.examples = (words[0] + value, f"see {words[-1]}{value}, then")
        self.counter_examples = (words[0] + "x", words[-1] + "*" * least)
        edge = r"\b" if all(word[0].isalnum() for word in words) else ""
        end = r"\b" if whole else ""
        return f"{edge}(?:{'|'.join(map(_escape, words))}){kind}{{{length}}}{end}"

    def _of_service(self, words: list[str], value: str) -> str:
        self.keywords = tuple(dict.fromkeys(word.split("[")[0] for word in words))
        self.group = 1
        self.check = self.check or "mixed"
        return rf"(?i)\b(?:{'|'.join(words)}){_ASSIGNED}{value})\b"

    def _near(self, words: list[str], value: str) -> str:
        self.keywords = tuple(words)
        self.group = 1
        names = "|".join(word.replace(".", r"\.") for word in words)
        return rf"(?i)(?:{names})[^\x1f]{{0,120}}?(?:\b|_){value}"

    def _said(self, words: list[str], value: str) -> str:
        self.keywords = tuple(words)
        self.group = 1
        ascii_words = [word for word in words if word.isascii()]
        others = [word for word in words if not word.isascii()]
        plain = "|".join(word.replace(".", r"\.") for word in ascii_words)
        self.starts = (*ascii_words, *(f"_{word}" for word in ascii_words), *others)
        looser = "|".join([rf"(?:\b|_)(?:{plain})(?:\b|_|[sncid])", *others])
        self.prefilter = f"(?i)(?:{looser})"
        named = "|".join([rf"(?:\b|_)(?:{plain}){_NUMBERED}(?:\b|_)", *others])
        return rf"(?i)(?:{named})[^\x1f0-9]{{0,40}}?\b({value})\b"

    def _tools(self) -> str:
        tools = tool_names()
        self.keywords = tuple(f"{tool}{end}" for tool in tools for end in (" ", ".exe "))
        self.starts = tools
        names = "|".join(re.escape(tool).replace("\\-", "-") for tool in tools)
        return rf"(?i)\b({names})(?:\.exe)?[ ]"

    def _encoded(self, kind: str) -> str:
        words = encoded_words()
        if kind == "hex":
            forms = sorted({word.encode().hex() for word in words if len(word) >= 4})
            self.keywords = tuple(forms)
            return f"(?i)(?:{'|'.join(forms)})"
        forms = sorted({form for word in words for form in base64_forms(word)})
        lower = "\n".join(forms).lower()
        other = lower.translate(str.maketrans("+/", "-_"))
        self.keywords = tuple(dict.fromkeys(f"{lower}\n{other}".split("\n")))
        return f"(?:{'|'.join(forms)})".replace("+", "[+-]").replace("/", "[/_]")

    def row(self) -> tuple[Any, ...]:
        """The arguments of `Rule`, without defaults at the end."""
        row = [self.id, self.pattern, self.keywords, self.group, self.check, self.extract]
        row += [self.confidence, self.starts, self.shared, self.prefilter]
        for default in ("", "", (), HIGH, "", "", 0):
            if row[-1] != default:
                break
            row.pop()
        return tuple(row)


KNOWN = frozenset(
    "id pattern prefix chars length whole begins shared service near said tools value encodes "
    "keywords starts prefilter group check extract confidence source examples "
    "counter_examples".split()
)


def _escape(word: str) -> str:
    return "".join(char if char.isalnum() or char in "_-/:~" else "\\" + char for char in word)


@cache
def load(name: str) -> dict[str, Any]:
    """One file of data."""
    return tomllib.loads((RULES / f"{name}.toml").read_text("utf-8"))


@cache
def entries(family: str) -> tuple[Entry, ...]:
    """The rules of a family: first those that say most, then the formats of a line each."""
    data = load(family)
    return tuple(Entry(family, row) for row in (*data.get("rule", ()), *data.get("formats", ())))


@cache
def secret_names() -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """(pattern of a name that says secret, its keywords, what it begins with)."""
    words = tuple(load("names")["words"])
    alternatives = "|".join(words).replace(".", "\\.") + r"|\Bkey"
    keywords = tuple(word.strip("-") for word in words)
    return f"(?i)(?:{alternatives})[a-z0-9_.$-]{{0,40}}", keywords, (*words, "key")


@cache
def assigns() -> str:
    """A pattern for what assigns a value, in any language."""
    return f"(?:{'|'.join(map(re.escape, load('names')['operators']))})"


@cache
def tool_names() -> tuple[str, ...]:
    """The tools of words/tools.toml in lower case, the longest first."""
    rows = load("words/tools")["rows"]["tools"].split()
    names = {re.split("[/=]", row)[0].lower() for row in rows}
    return tuple(sorted(names, key=lambda name: (-len(name), name)))


@cache
def encoded_words() -> frozenset[str]:
    """The strings looked for in encoded text: words, and the fixed beginnings of the formats, of
    four characters or more."""
    literal = re.compile(r"\\b([A-Za-z0-9_-]{2,}(?:\\\.)?)(?![|?*+{])")
    words = set()
    for entry in (one for family in ("cloud", "hosting", "services") for one in entries(family)):
        head = literal.match(entry.pattern)
        if head is not None and entry.confidence == HIGH:
            words.add(head[1].replace("\\", ""))
        if len(entry.prefixes) == 1 and literal.fullmatch("\\b" + _escape(entry.prefixes[0])):
            words.update(entry.prefixes)
        words.update(word for word in entry.keywords if word[-1] in "_-." and word[0] not in "_-")
    return frozenset((*load("encoded")["words"], *(word for word in words if len(word) >= 4)))


def base64_forms(word: str) -> list[str]:
    """The characters one of which every base64 text of something that holds the word must hold."""
    from binascii import b2a_base64

    data = word.encode()
    forms = []
    for shift in range(3):
        text = b2a_base64(bytes(shift) + data, newline=False).decode()
        forms.append(text[(shift * 8 + 5) // 6 : (shift + len(data)) * 8 // 6])
    return [form for form in forms if len(form) >= 4]


def compiled(family: str) -> str:
    """The source of a family's module."""
    rows = "".join(f"    {entry.row()!r},\n" for entry in entries(family))
    return (
        f'"""{family}.toml, compiled by `python -m hookstream.redaction.compile`."""\n\n'
        "# ruff: noqa\n# fmt: off\n"
        f"ROWS: tuple[tuple, ...] = (  # type: ignore[type-arg]\n{rows})\n"
    )


def compiled_words(name: str) -> str:
    """The source of the module of a file of words."""
    data = load(f"words/{name}")
    lists = "".join(
        f"{words_name.upper()} = {kind}({' '.join(words.split())!r}.split())\n"
        for kind, lists in (("frozenset", data.get("sets", {})), ("tuple", data.get("rows", {})))
        for words_name, words in lists.items()
    )
    if (places := data.get("rows", {}).get("places")) is not None:
        lists += f"NEEDS = {tuple(map(needed, places.split()))!r}\n"
    return (
        f'"""words/{name}.toml, compiled by `python -m hookstream.redaction.compile`."""\n\n'
        f"# ruff: noqa\n# fmt: off\n{lists}"
    )


def needed(pattern: str) -> tuple[str, ...]:
    """Words in lower case one of which every match of a place holds; none where that is not
    known."""
    plain = re.sub("<(?:name|person|arg)>", ".", pattern)
    return tuple(sorted(_needed(_parser.parse(plain))))


def _needed(tree: Any) -> frozenset[str]:
    """The best of the sets of words of a pattern's parts: the one whose shortest word is longest,
    then the smallest."""
    word, choices = "", []
    for kind, value in (*tree, (signs.ANY, None)):
        if kind is signs.LITERAL:
            word += chr(value).lower()
            continue
        if kind is signs.AT:
            continue
        choices.append(frozenset({word}) - {""})
        word = ""
        if kind is signs.SUBPATTERN:
            choices.append(_needed(value[3]))
        elif kind is signs.MAX_REPEAT and value[0]:
            choices.append(_needed(value[2]))
        elif kind is signs.BRANCH:
            sets = [_needed(part) for part in value[1]]
            choices.append(frozenset().union(*sets) if all(sets) else frozenset())
    return max(choices, key=lambda words: (min(map(len, words), default=0), -len(words)))


def main() -> None:
    """Write every module."""
    for family in FAMILIES:
        (COMPILED / f"{family}.py").write_text(compiled(family), "utf-8")
    for name in LISTS:
        (COMPILED / "words" / f"{name}.py").write_text(compiled_words(name), "utf-8")


if __name__ == "__main__":
    main()
