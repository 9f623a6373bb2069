"""What a rule is: one kind of secret as data.

Patterns keep to what Hyperscan, RE2 and `re` read alike (no look-around, no back-reference, no
nested repetition), and each holds a rare literal, so that clean text costs next to nothing.
Examples are put together from parts, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Rule:
    """One kind of secret.

    id         stands in `[REDACTED:<id>]`
    pattern    finds it; ASCII classes, case as written unless it begins with `(?i)`
    keywords   lower-case words one of which every match holds, whatever its case
    source     where the format is documented
    positives, negatives   texts that hold such a secret, and texts that look alike and do not
    group      the part of the match that is the secret (0: all of it)
    validate   name of a check in `validators` that the secret must pass
    reads      name of a reader in `readers`: the pattern finds the place, the reader the value
    starts     lower-case literals one of which every match begins with, whatever its case: for
               patterns that begin with many words, which `re` is slow to look for
    weight     where two rules meet the heavier names the region; a bare format weighs 2
    head       what the pattern begins with, where others begin so and all match seldom: an
               engine may ask for all patterns of one head at once (see engines.py)
    """

    __slots__ = (
        "group",
        "head",
        "id",
        "keywords",
        "negatives",
        "pattern",
        "positives",
        "reads",
        "source",
        "starts",
        "validate",
        "weight",
    )

    def __init__(
        self,
        id: str,
        pattern: str,
        keywords: tuple[str, ...],
        source: str,
        positives: tuple[str, ...],
        negatives: tuple[str, ...],
        group: int = 0,
        validate: str = "",
        reads: str = "",
        weight: int = 2,
        starts: tuple[str, ...] = (),
        head: str = "",
    ) -> None:
        self.id = id
        self.pattern = pattern
        self.keywords = keywords
        self.source = source
        self.positives = positives
        self.negatives = negatives
        self.group = group
        self.validate = validate
        self.reads = reads
        self.weight = weight
        self.starts = starts
        self.head = head

    def __repr__(self) -> str:
        return f"Rule({self.id!r})"


def named(
    vendor: str,
    words: str,
    value: str,
    example: str,
    source: str,
    id: str = "",
) -> Rule:
    """A token without a shape of its own: `value` assigned to a name that holds a vendor's word.

    `words` are alternatives in lower case, separated by `|`.
    """
    first = words.split("|")[0].replace("[_-]?", "_").replace("[_.-]?", "_")
    return Rule(
        id or f"{vendor}-key",
        r"(?i)\b(?:"
        + words
        + r")[a-z0-9_.-]{0,24}\\{0,3}[\"']?[ \t]{0,4}(?:=>|:=|=|:)[ \t]{0,4}\\{0,3}[\"']?("
        + value
        + r")\b",
        tuple(dict.fromkeys(word.split("[")[0] for word in words.split("|"))),
        source,
        (f'{first}_key = "{example}"', f"{first.upper()}_API_KEY={example}"),
        (f"{first}_key = none", f"{first} went well"),
        group=1,
        validate="mixed",
    )


# Ends of tokens: what they consist of, and an example of 8 characters of it.
TAILS = {
    "alnum": ("[A-Za-z0-9]", "a1B2c3D4"),
    "url": ("[A-Za-z0-9_-]", "a1B2c3D4"),
    "b64": ("[A-Za-z0-9+/]", "a1B2c3D4"),
    "hex": ("[a-f0-9]", "a1b2c3d4"),
    "digest": ("[A-Fa-f0-9]", "a1b2C3D4"),
    "lower": ("[a-z0-9]", "k7m2q9z4"),
    "upper": ("[A-Z0-9]", "K7M2Q9Z4"),
    "colon": ("[A-Za-z0-9:]", "a1B2c3D4"),
    "wide": ("[A-Za-z0-9_.+/=-]", "a1B2c3D4"),
}


class Prefixed(Rule):
    """A token known by how it begins: `prefixes` (apart by blanks), then so many of `tail`.

    `sizes` is "32" or "20,80" as in a pattern; the example has as many as are needed. Pattern and
    examples are made when somebody asks: a hook asks for few, and has no millisecond for the rest.
    """

    __slots__ = ("sizes", "tail", "words")

    def __init__(
        self, id: str, prefixes: str, tail: str, sizes: str, source: str, validate: str = ""
    ) -> None:
        self.words = prefixes.split()
        self.tail = tail
        self.sizes = sizes
        self.id = id
        self.keywords = tuple(dict.fromkeys(prefixes.lower().split()))
        self.source = source
        self.validate = validate
        self.group, self.reads, self.weight, self.starts, self.head = 0, "", 2, (), ""

    def __getattr__(self, name: str) -> Any:
        if name not in ("pattern", "positives", "negatives"):
            raise AttributeError(name)
        words = self.words
        chars, example = TAILS[self.tail]
        least = int(self.sizes.split(",")[0])
        value = (example * (least // 8 + 1))[:least]
        begin = "|".join(_escape(word) for word in words)
        edge = r"\b" if all(word[0].isalnum() for word in words) else ""
        closed = self.tail in ("alnum", "hex", "digest", "lower", "upper") and "," not in self.sizes
        end = r"\b" if closed else ""
        self.pattern = f"{edge}(?:{begin}){chars}{{{self.sizes}}}{end}"
        self.positives = (words[0] + value, f"see {words[-1]}{value}, then")
        self.negatives = (words[0] + "x", words[-1] + "*" * least)
        return getattr(self, name)


def _escape(word: str) -> str:
    return "".join(char if char.isalnum() or char in "_-/:~" else "\\" + char for char in word)
