"""The memory of spans: their parents, their traces and the sessions of these. Bounded."""

from __future__ import annotations

from hookstream.core.limits import make_room
from hookstream.normalizers.genai.span import Told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.otlp.items import OtlpItem

    # the last of the models' requests inside a span, and the tokens of all
    Requests = tuple[Told, int, int]

SPANS = 32768
TRACES = 8192
ANCESTORS = 64
# A span of none of these frameworks: an HTTP request, a function of the user's.
OTHER = Told("chain", "")


class Spans:
    """Spans by id, traces by their links, sessions by trace."""

    def __init__(self) -> None:
        # span id -> (what it says, its parent)
        self.spans: dict[str, tuple[Told, str]] = {}
        # tool span -> the span of the same call inside it
        self.inner: dict[str, Told] = {}
        # span -> the models' spans inside it, up to the next around them
        self.requests: dict[str, Requests] = {}
        # models' spans whose tokens were counted, before those inside them came
        self.counted: dict[str, None] = {}
        # trace -> the first of the traces it is linked with
        self.linked: dict[str, str] = {}
        # trace -> session
        self.sessions: dict[str, str] = {}

    def link(self, item: OtlpItem) -> None:
        make_room(self.linked, TRACES)
        root = self.linked.setdefault(item.trace, item.trace)
        for trace, _ in item.links:
            if trace and self.linked.get(trace, trace) != root:
                if item.trace == root:
                    self.linked[item.trace] = self.linked.get(trace, trace)
                else:
                    self.linked[trace] = root

    def remember(self, item: OtlpItem, told: Told) -> None:
        make_room(self.spans, SPANS)
        self.spans[item.span] = (told, item.parent)
        if told.session:
            make_room(self.sessions, TRACES)
            self.sessions.setdefault(item.trace, told.session)
        around = self.spans.get(item.parent)
        inside = self.requests.get(item.span)
        if told.kind == "model" and (has_counts(told) or inside is None):
            inside = (told, told.input_tokens or 0, told.output_tokens or 0)
        if inside is not None and told.kind not in ("tool", "agent"):
            self._inside(item.parent, inside)
        if told.kind == "tool" and told.name:
            make_room(self.inner, SPANS)
            self.inner[item.parent] = told
            if around is not None and around[0].kind == "tool" and around[0].name == told.name:
                told.arguments = told.arguments or around[0].arguments
                told.result = told.result if told.result is not None else around[0].result

    def _inside(self, parent: str, inside: Requests) -> None:
        """Name models' requests at the spans around them, up to one that counts them, too."""
        request, given, written = inside
        for _ in range(ANCESTORS):
            if not parent:
                return
            make_room(self.requests, SPANS)
            _, more_given, more_written = self.requests.get(parent, (None, 0, 0))
            self.requests[parent] = request, given + more_given, written + more_written
            around, parent = self.spans.get(parent, (None, ""))
            if around is None or around.kind in ("tool", "agent") or has_counts(around):
                return

    def is_repeated(self, item: OtlpItem, told: Told) -> bool:
        """Return whether a model's span is one request with another, which counts it: one inside
        it, all those inside it, or one around it that was read before."""
        inside = self.requests.get(item.span)
        if inside is not None:
            request, *counts = inside
            if is_same_request(request, told) or counts_of(told) == tuple(counts):
                return True
        at = item.parent
        for _ in range(ANCESTORS):
            around, above = self.spans.get(at, (None, ""))
            if around is None or around.kind in ("tool", "agent"):
                break
            is_counted = at in self.counted and not told.failed
            if is_counted and (not has_counts(told) or is_same_request(told, around)):
                return True
            at = above
        if has_counts(told):
            make_room(self.counted, SPANS)
            self.counted[item.span] = None
        return False

    def root(self, trace: str) -> str:
        for _ in range(ANCESTORS):
            above = self.linked.get(trace, trace)
            if above == trace:
                break
            trace = above
        return trace

    def session(self, item: OtlpItem) -> str | None:
        """The session that a span of the trace names, or None."""
        return self.sessions.get(item.trace)

    def name_session(self, item: OtlpItem, session: str) -> None:
        make_room(self.sessions, TRACES)
        self.sessions.setdefault(item.trace, session)

    def enclosing(self, item: OtlpItem, kind: str) -> str | None:
        """The nearest span of a kind around a span, or None."""
        at = item.parent
        for _ in range(ANCESTORS):
            span = self.spans.get(at)
            if span is None:
                return None
            if span[0].kind == kind:
                return at
            at = span[1]
        return None

    def around(self, item: OtlpItem) -> str | None:
        """The tool span around a span: what is inside one is a sub-agent's."""
        return self.enclosing(item, "tool")

    def is_summary(self, item: OtlpItem) -> bool:
        """Return whether a model is asked to summarise: no person typed that prompt."""
        at = item.parent
        for _ in range(ANCESTORS):
            span = self.spans.get(at)
            if span is None:
                return False
            if span[0].kind == "chain" and "Summarization" in str(span[0].name):
                return True
            at = span[1]
        return False


def counts_of(told: Told) -> tuple[int | None, int | None]:
    return told.input_tokens, told.output_tokens


def has_counts(told: Told) -> bool:
    return counts_of(told) != (None, None)


def is_same_request(inner: Told, outer: Told) -> bool:
    """Return whether the model's span around another is the same request, seen by two libraries."""
    if inner.response_id and inner.response_id == outer.response_id:
        return True
    return counts_of(outer) in ((None, None), counts_of(inner))
