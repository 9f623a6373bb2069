"""The contents of one span of an agent framework, whatever its dialect."""

from __future__ import annotations

import ast
import re

from hookstream.core.jsons import JsonObject, canonical, loads_text
from hookstream.normalizers.table import model_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    class Span(Protocol):
        """A span as hookstream.otlp gives it."""

        name: str
        attributes: JsonObject
        events: list[tuple[str, JsonObject]]
        status: int
        status_message: str

        @property
        def scope(self) -> str: ...

        @property
        def service(self) -> str: ...

        @property
        def duration_ms(self) -> float | None: ...


# An exception of these types is a question to a person, not a failure.
INTERRUPTS = re.compile(r"(?:^|\.)(?:GraphInterrupt|NodeInterrupt|ApprovalRequired|CallDeferred)\b")
# Results in which a host's text says that a call did not run (no proof: text only).
UNRUN = re.compile(
    r"(?:blocked by hook|This tool call is rejected|requires confirmation|tool call was rejected"
    r"|Tool execution was not approved|Tool call not executed)",
    re.IGNORECASE,
)
TEXT_LIMIT = 4096
# fact -> the names of a count, those of the newest conventions first
COUNTS = {
    "input_tokens": (
        "gen_ai.usage.input_tokens",
        "gen_ai.usage.prompt_tokens",
        "gen_ai.response.prompt_tokens",
    ),
    "output_tokens": (
        "gen_ai.usage.output_tokens",
        "gen_ai.usage.completion_tokens",
        "gen_ai.response.completion_tokens",
    ),
    "cache_read": (
        "gen_ai.usage.cache_read.input_tokens",
        "gen_ai.usage.cache_read_input_tokens",
        "llm.token_count.prompt_details.cache_read",
        "ai.usage.cachedInputTokens",
        "ai.usage.inputTokenDetails.cacheReadTokens",
    ),
    "cache_write": (
        "gen_ai.usage.cache_write.input_tokens",
        "gen_ai.usage.cache_creation.input_tokens",
        "gen_ai.usage.cache_creation_input_tokens",
        "gen_ai.usage.cache_write_input_tokens",
        "llm.token_count.prompt_details.cache_write",
        "ai.usage.inputTokenDetails.cacheWriteTokens",
    ),
}


class Proposal:
    """A tool call that a model asked for: id (or none), tool, arguments."""

    __slots__ = ("arguments", "call_id", "tool", "used")

    def __init__(self, call_id: str | None, tool: str, arguments: Any) -> None:
        self.call_id = call_id
        self.tool = tool
        self.arguments = as_arguments(arguments)
        self.used = False


# Libraries that some emitters name in the place of the provider.
NO_PROVIDERS = frozenset(("autogen", "langchain", "langgraph", "strands-agents"))
# The conventions' words for a provider in `gen_ai.system` -> their words of today
SYSTEMS = {
    **{word: word for word in "openai anthropic aws.bedrock cohere deepseek groq x_ai".split()},
    **{word: word for word in "mistral_ai perplexity ibm.watsonx.ai gcp.gemini".split()},
    **{word: word for word in "gcp.vertex_ai azure.ai.inference azure.ai.openai".split()},
    "az.ai.inference": "azure.ai.inference",
    "az.ai.openai": "azure.ai.openai",
    "gemini": "gcp.gemini",
    "vertex_ai": "gcp.vertex_ai",
    "xai": "x_ai",
}


def model_of(a: JsonObject, *names: str) -> str | None:
    """The model, with its provider where the span says it."""
    system = str(a.get("gen_ai.system")).lower()
    provider = a.get("gen_ai.provider.name", SYSTEMS.get(system))
    model = next((a[name] for name in names if type(a.get(name)) is str and a[name]), None)
    return model_name(None if provider in NO_PROVIDERS else provider, model)


class Told:
    """`kind` is tool, model, agent, handoff, guardrail or chain. A tool: `waits` where the span
    only asks a person, `unclear` where its end says nothing of an outcome, `presumed`
    where success follows from a missing error alone, `asks` what a person is
    asked, `answers` (word, reason) to such questions in order, `refused` (call id, reason) what was
    refused for certain. `messages` is how many a model was sent, `history` the ids of the calls in
    them; `prompt` the last of them, if a user's."""

    __slots__ = (
        "agent",
        "answers",
        "approved",
        "arguments",
        "asks",
        "cache_read",
        "cache_write",
        "call_id",
        "compacted",
        "error",
        "error_type",
        "exit_code",
        "failed",
        "framework",
        "history",
        "input_tokens",
        "kind",
        "memory",
        "memory_store",
        "messages",
        "model",
        "name",
        "output_tokens",
        "presumed",
        "prompt",
        "proposals",
        "query",
        "refused",
        "response_id",
        "result",
        "session",
        "skill",
        "skill_source",
        "text",
        "unclear",
        "waits",
    )

    def __init__(self, kind: str, framework: str) -> None:
        self.kind = kind
        self.framework = framework
        self.name: str | None = None
        self.call_id: str | None = None
        self.arguments: Any = None
        self.result: Any = None
        self.session: str | None = None
        self.agent: str | None = None
        self.model: str | None = None
        self.response_id: str | None = None
        self.input_tokens: int | None = None
        self.output_tokens: int | None = None
        self.cache_read: int | None = None
        self.cache_write: int | None = None
        self.exit_code: int | None = None
        self.skill: str | None = None
        self.skill_source: str | None = None
        self.memory: str | None = None
        self.memory_store: str | None = None
        self.query: str | None = None
        self.prompt: str | None = None
        self.messages = 0
        self.history: frozenset[str] = frozenset()
        self.text: str | None = None
        self.failed = False
        self.error: str | None = None
        self.error_type: str | None = None
        self.waits = False
        self.unclear = False
        self.presumed = False
        self.compacted = False
        self.proposals: list[Proposal] = []
        self.asks: list[Proposal] = []
        self.answers: list[tuple[str, str | None]] = []
        self.refused: list[tuple[str, str | None]] = []
        self.approved: list[str] = []


def text_of(value: Any) -> str | None:
    return value if type(value) is str and value else None


def count_of(value: Any) -> int | None:
    if type(value) is float and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def count_all(told: Told, attributes: JsonObject) -> None:
    """Take the counts of tokens that are missing, under the name of any generation."""
    for fact, names in COUNTS.items():
        if getattr(told, fact) is None:
            counts = (count_of(attributes.get(name)) for name in names)
            setattr(told, fact, next((count for count in counts if count is not None), None))


def as_json(value: Any) -> Any:
    """The value of a JSON text; any other value as it is."""
    if type(value) is str and value[:1] in ("{", "["):
        found = loads_text(value)
        return value if found is None else found
    return value


def as_object(value: Any) -> JsonObject:
    found = as_json(value)
    return found if type(found) is dict else {}


def as_list(value: Any) -> list[Any]:
    found = as_json(value)
    return found if type(found) is list else []


def as_arguments(value: Any) -> Any:
    """Arguments as an object; another text stays a text (a tool with one argument)."""
    found = as_json(value)
    if type(found) is str and found[:1] == "{":
        return as_literal(found) or found
    return found


def as_literal(text: str) -> Any:
    """The value that a Python literal spells (some instrumentations write str(arguments))."""
    try:
        return ast.literal_eval(text[: 64 * 1024])
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def bracketed(text: str, start: int) -> str:
    """The Python list that begins at an offset; empty if it does not end."""
    depth, quote, skip = 0, "", False
    for place in range(start, min(len(text), start + 64 * 1024)):
        sign = text[place]
        if skip:
            skip = False
        elif quote:
            if sign == "\\":
                skip = True
            elif sign == quote:
                quote = ""
        elif sign in "'\"":
            quote = sign
        elif sign in "[{(":
            depth += 1
        elif sign in "]})":
            depth -= 1
            if depth == 0:
                return text[start : place + 1]
    return ""


def same_arguments(one: Any, other: Any) -> bool:
    """Equal, or a text that is the only value of the other (LangChain writes just that)."""
    if one is None or other is None:
        return True
    for text, whole in ((one, other), (other, one)):
        if type(text) is str and type(whole) is dict:
            return text in [str(value) for value in whole.values()] or text == str(whole)
    return canonical(one) == canonical(other)


def judge(told: Told, span: Span, *, always_results: bool = False) -> None:
    """The end of a tool's span: first an interrupt, then the text of a refusal, an error, a
    missing result, else success."""
    for event, held in span.events:
        if event == "exception":
            kind = str(held.get("exception.type") or "")
            message = text_of(held.get("exception.message")) or ""
            if INTERRUPTS.search(kind) or INTERRUPTS.search(message[:60].partition("(")[0]):
                told.waits = True
                return
            told.failed = True
            told.error = told.error or message.split("\n", 1)[0][:500] or None
            told.error_type = told.error_type or kind or None
    if told.result is not None and UNRUN.search(str(told.result)[:TEXT_LIMIT]):
        told.unclear = True
        told.waits = "requires confirmation" in str(told.result)[:TEXT_LIMIT]
        told.failed = False
        return
    if span.status == 2:
        told.failed = True
        told.error = told.error or span.status_message.split("\n", 1)[0][:500] or None
    given = span.attributes.get("error.type")
    if type(given) is str and given:
        told.failed = True
        told.error_type = told.error_type or given
    if not told.failed and told.result is None and always_results:
        told.waits = True
