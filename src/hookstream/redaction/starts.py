"""Places of words in a text: those at which rules with many beginnings are tried.

`starts_of` searches word by word and needs nothing; `WordPass` finds all long words in one pass of
Hyperscan. Both remember the last text, since many rules ask for the same words.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookstream.redaction.hyperscan_engine import Database

_ASCII_LOWER = {upper: upper + 32 for upper in range(65, 91)}
LONG = 3  # characters; a shorter word may occur everywhere, and each hit has its cost


class WordPlaces:
    """The places of words in one text."""

    __slots__ = ("found", "lowered", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.lowered = text.lower()
        if len(self.lowered) != len(text):  # some letters grow
            self.lowered = text.translate(_ASCII_LOWER)
        self.found: dict[str, tuple[int, ...]] = {}

    def of_word(self, word: str) -> tuple[int, ...]:
        ends = self.found.get(word)
        if ends is None:
            ends = self.found[word] = tuple(self._search(word))
        return ends

    def _search(self, word: str) -> Iterable[int]:
        at = self.lowered.find(word)
        while at >= 0:
            yield at
            at = self.lowered.find(word, at + 1)


_last = WordPlaces("")


def starts_of(text: str, words: frozenset[str]) -> list[int]:
    """The starts of any of the words, ascending; lower-case words, whatever the text's case."""
    global _last
    places = _last
    if places.text is not text:
        places = _last = WordPlaces(text)
    of_word = places.of_word
    if text.isascii():  # so are the words in it
        return sorted({at for word in words if word.isascii() for at in of_word(word)})
    return sorted({at for word in words for at in of_word(word)})


class WordPass:
    """The same by one pass over the text for all words of three ASCII characters and more."""

    def __init__(self, words: Iterable[str], database: type[Database]) -> None:
        self.words = sorted(word for word in words if len(word) >= LONG and word.isascii())
        self._known = frozenset(self.words)
        self._make = database
        self._database: Database | None = None  # made when first needed: most texts need none
        self._last: tuple[str, list[tuple[int, int]]] = ("", [])  # set whole: threads may meet

    def __call__(self, text: str, words: frozenset[str]) -> list[int]:
        """The starts of any of the words, ascending."""
        rest = words - self._known
        if rest == words:
            return starts_of(text, words)
        last = self._last
        if last[0] is not text:
            last = self._last = text, self._pass(text)
        names = self.words
        starts = {end - len(names[at]) for at, end in last[1] if names[at] in words}
        return sorted(starts.union(starts_of(text, rest)) if rest else starts)

    def _pass(self, text: str) -> list[tuple[int, int]]:
        """(number of a word, where it ends), for each time that one occurs in the text."""
        if self._database is None:
            patterns = ["(?i)" + "".join(map(_literal, word)) for word in self.words]
            self._database = self._make(patterns, single=False)
        # One byte a character, so that places are the same.
        return self._database.matches(text.encode("ascii", "replace"))


def _literal(char: str) -> str:
    return char if char.isalnum() or char in "_ " else "\\" + char
