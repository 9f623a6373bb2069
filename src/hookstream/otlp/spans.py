"""The memory of spans: their parents, their traces and the sessions of these. Bounded."""

from __future__ import annotations

from hookstream.core.limits import make_room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.normalizers.genai.span import Told
    from hookstream.otlp.items import OtlpItem

SPANS = 32768
TRACES = 8192
ANCESTORS = 64


class Spans:
    """Spans by id, traces by their links, sessions by trace."""

    def __init__(self) -> None:
        # span id -> (what it says, its parent)
        self.spans: dict[str, tuple[Told, str]] = {}
        # tool span -> the span of the same call inside it
        self.inner: dict[str, Told] = {}
        # span -> the model's span of the same request inside it
        self.requests: dict[str, Told] = {}
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
        request = told if told.kind == "model" else self.requests.get(item.span)
        if request is not None and told.kind not in ("tool", "agent"):
            self._inside(item.parent, request)
        if told.kind == "tool" and told.name:
            make_room(self.inner, SPANS)
            self.inner[item.parent] = told
            if around is not None and around[0].kind == "tool" and around[0].name == told.name:
                told.arguments = told.arguments or around[0].arguments
                told.result = told.result if told.result is not None else around[0].result

    def _inside(self, parent: str, request: Told) -> None:
        """Name a model's request at the spans around it, up to a tool's or an agent's."""
        for _ in range(ANCESTORS):
            if not parent:
                return
            make_room(self.requests, SPANS)
            self.requests[parent] = request
            around = self.spans.get(parent)
            if around is None or around[0].kind in ("tool", "agent"):
                return
            parent = around[1]

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
