"""Three engines, one answer: the engine only says which rules can match."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from privacy_cases import entry, scanner_of

from hookstream.redaction.engines import TRIE_FROM, PythonEngine
from hookstream.redaction.prefilters import prefilter, prefix_groups, relaxed, shared_prefilter
from hookstream.redaction.rules import Rule, rules

ENGINES = ("hyperscan", "re2", "python")
ALL = rules()
FRAGMENTS = sorted(
    {
        text[start : start + size]
        for rule in ALL
        for text in entry(rule).examples
        for start, size in ((0, 200), (0, 12), (4, 30), (len(text) // 2, 80))
    }
)
GLUE = st.sampled_from(
    [
        "",
        " ",
        "\n",
        "=",
        ": ",
        '"',
        "'",
        "\\",
        "\\n",
        "\\u0026",
        "%20",
        "%3D",
        "\x1b[31m",
        "|",
        "<",
        ">",
        ",",
        "/",
        "@",
        ".",
        "-",
        "_",
        "ä",
        "→",
        "漢",
        "{",
        "}",
    ]
)
TEXTS = st.lists(
    st.one_of(st.sampled_from(FRAGMENTS), GLUE, st.text(max_size=8)), min_size=1, max_size=12
).map("".join)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS)
def test_all_engines_find_the_same(text: str) -> None:
    answers = [scanner_of(engine).scan(text) for engine in ENGINES]
    assert answers[0] == answers[1] == answers[2]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS)
def test_findings_lie_in_the_text_in_order_and_apart(text: str) -> None:
    end = 0
    for start, stop, name in scanner_of("python").scan(text):
        assert end <= start < stop <= len(text)
        assert name in {rule.id for rule in ALL}
        end = stop


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS, TEXTS)
def test_what_is_found_in_a_text_is_a_candidate_in_any_joined_text(one: str, other: str) -> None:
    from hookstream.redaction.scanner import SEPARATOR

    for engine in ENGINES:
        scanner = scanner_of(engine)
        ids = {name for _, _, name in scanner.scan(one)}
        joined = SEPARATOR.join([other, one, other])
        candidates = {scanner.rules[number].id for number in scanner.candidates(joined)}
        assert ids <= candidates


@pytest.mark.long
@pytest.mark.parametrize("engine", ENGINES)
def test_hostile_texts_cost_each_engine_no_more_than_their_length(engine: str) -> None:
    """100,000 characters of what a rule looks for, again and again, for every rule: half of them an
    example, half a keyword."""
    scanner = scanner_of(engine)
    # The keyword engine looks for all keywords whatever the text: a few texts show what it costs.
    for rule in ALL[::50] if engine == "python" else ALL:
        bits = (entry(rule).examples[0], rule.keywords[0] + "=")
        text = "".join((bit * (50_000 // len(bit) + 1))[:50_000] for bit in bits)
        began = time.process_time()
        scanner.candidates(text)
        assert time.process_time() - began < 1, rule.id


def test_lone_surrogates_and_controls_are_no_error() -> None:
    for engine in ENGINES:
        text = "\ud800 \x00 password=hunter2 \udfff"
        assert [name for _, _, name in scanner_of(engine).scan(text)] == ["assigned-secret"]


def test_a_relaxed_pattern_only_opens_wide_bounds() -> None:
    assert relaxed(r"a{3,5}b{2,4096}c{7}") == r"a{3,5}b{2,}c{7}"


def test_a_prefilter_matches_wherever_its_rule_does() -> None:
    own = [rule for rule in rules() if rule.prefilter]
    assert own
    texts = [text for rule in rules() for text in entry(rule).examples]
    missed = [
        (rule.id, text)
        for rule in own
        for text in texts
        if re.search(rule.pattern, text, re.ASCII)
        and not re.search(prefilter(rule), text, re.ASCII)
    ]
    assert missed == []


def test_a_shared_prefilter_matches_wherever_a_rule_of_the_family_does() -> None:
    shared = [[ALL[at] for at in family] for family in prefix_groups(ALL) if len(family) > 1]
    assert shared
    for rules_of_one_head in shared:
        finds = re.compile(shared_prefilter(rules_of_one_head), re.ASCII).search
        for rule in rules_of_one_head:
            assert rule.pattern.startswith(rule.shared)
            assert all(finds(text) for text in entry(rule).examples)


def test_the_hook_needs_neither_hyperscan_nor_re2_nor_typing() -> None:
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        "sys.modules['hyperscan'] = sys.modules['re2'] = None\n"
        "sys.modules['hookstream.capture.hook.main'] = sys\n"  # the JSON seam goes by it
        "from hookstream.redaction import Redactor\n"
        "from hookstream.redaction.scanner import Scanner\n"
        "p = Redactor('hash', b'k' * 32, scanner=Scanner('auto'))\n"
        "assert p.scanner.engine.name == 'python'\n"
        "assert p.redact_text('password=hunter2') == 'password=[REDACTED:assigned-secret]'\n"
        "assert not {'typing', 'dataclasses', 'pathlib', 'orjson'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-S", "-c", code], check=True)


def test_several_threads_may_scan_at_once() -> None:
    from concurrent.futures import ThreadPoolExecutor

    scanner = scanner_of("hyperscan")
    texts = [f"{'x' * 5000} see ghp_{'a1B2' * 9} and {number}" for number in range(64)]
    want = [scanner.scan(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            assert list(pool.map(scanner.scan, texts)) == want


@pytest.mark.parametrize("sign", ["\ud800=", "\udfff:", " \ud800= "])
def test_a_lone_surrogate_is_the_same_to_every_engine(sign: str) -> None:
    text = f"pwd {sign} X9k2" + "m7Qw"
    assert len({tuple(scanner_of(engine).scan(text)) for engine in ENGINES}) == 1


def test_the_trie_of_keywords_answers_as_the_words_do() -> None:
    """A text that is long enough changes how the engine looks, not what it says."""
    by_word, by_trie = PythonEngine(ALL), PythonEngine(ALL)
    by_trie.candidates("." * (TRIE_FROM + 1))
    chance = random.Random(7)
    words = [word for rule in ALL for word in rule.keywords]
    for size in [0, 1, 3, *([40] * 300)]:
        parts = [chance.choice(words)[: chance.randint(1, 40)] for _ in range(size)]
        text = "".join(chance.choice((part, part.upper(), " x", "é")) for part in parts)
        by_word.read = 0
        assert by_trie.candidates(text) == by_word.candidates(text), text
    assert by_trie.trie is not None and by_word.trie is None


def test_the_trie_bears_overlapping_and_nested_words() -> None:
    keywords = [("ab",), ("abc", "x"), ("bcd",), ("abcdef",), (), ("(",), ("a|b",)]
    engine = PythonEngine(tuple(Rule("some-rule", "", words) for words in keywords))
    engine.read = TRIE_FROM
    assert engine.candidates("zabcdz") == [0, 1, 2]
    assert engine.candidates("abcdef") == [0, 1, 2, 3]
    assert engine.candidates("ABCDE") == [0, 1, 2]
    assert engine.candidates("(x") == [1, 5]
    assert engine.candidates("a|b") == [6]
    assert engine.candidates("") == []
