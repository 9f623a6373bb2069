"""One session as a story: its events in order, and the geometry of its timeline.

The picture has a lane an agent, calls as bars, prompts and denies as marks, compactions as cuts
and tokens along the bottom. Pauses longer than IDLE_S are drawn as IDLE_S and marked.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from hookstream.core.jsons import JsonObject
from hookstream.ui.filters import filled
from hookstream.ui.lake import ROWS, BrowsedLake
from hookstream.ui.overview import MINUTES

SESSIONS = "from sessions"
ASKS = "from asks"
IDLE_S = 60.0
WIDTH = 1000
LANE = 26
TOP = 24
LABEL = 130
MOST_EVENTS = 2000
MOST_CALLS = 1000
TOKEN_HEIGHT = 40
AXIS_HEIGHT = 18
# At least so far from one time on the axis to the next.
TICK_WIDTH = 130


@dataclass
class Bar:
    """A call in the picture: position and width in SVG units, `row` the call as the lake has it."""

    x: float
    y: float
    width: float
    row: JsonObject
    retry_of: float | None = None  # x of the attempt before it


@dataclass
class Mark:
    """A moment in the picture: a prompt, compaction, pause or deny without a call."""

    kind: str
    x: float
    title: str
    event_id: str | None = None


@dataclass
class Wait:
    """A question that waited for an answer, in SVG units."""

    x: float
    y: float
    width: float
    title: str


@dataclass
class Story:
    """The contents of the session page; `lanes` are (name, y), `ticks` (x, time), `tokens` the
    points of a polygon; `axis` is the y of the times;
    `unpriced` answers have no part in `cost_usd`."""

    session_id: str
    events: list[JsonObject]
    calls: list[JsonObject]
    summary: JsonObject
    lanes: list[tuple[str, float]] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    asks: list[JsonObject] = field(default_factory=list)
    prompts: list[JsonObject] = field(default_factory=list)
    compactions: list[JsonObject] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    ticks: list[tuple[float, str]] = field(default_factory=list)
    tokens: str = ""
    axis: float = 0
    token_total: int = 0
    cost_usd: float | None = None
    unpriced: int = 0
    height: float = 0
    is_cut: bool = False


class Scale:
    """Time to x, with long pauses shortened."""

    def __init__(self, times: Iterable[datetime]) -> None:
        self.times = sorted(set(times))
        self.at = [0.0]
        self.pauses: list[tuple[float, float]] = []  # (x before scaling, seconds)
        for before, after in zip(self.times, self.times[1:], strict=False):
            gap = (after - before).total_seconds()
            if gap > IDLE_S:
                self.pauses.append((self.at[-1] + IDLE_S / 2, gap))
            self.at.append(self.at[-1] + min(gap, IDLE_S))
        self.unit = (WIDTH - LABEL - 10) / (self.at[-1] or 1.0)

    def x(self, when: datetime) -> float:
        index = max(0, bisect_right(self.times, when) - 1)
        return round(LABEL + self.at[index] * self.unit, 1)

    def ticks(self) -> list[tuple[float, str]]:
        """Some of the times with their x, as many as there is room for."""
        made: list[tuple[float, str]] = []
        for when in self.times:
            x = self.x(when)
            text = f"{when:%H:%M:%S}"
            has_room = x - made[-1][0] >= TICK_WIDTH and x <= WIDTH - 30 if made else True
            if has_room and (not made or made[-1][1] != text):
                made.append((x, text))
        return made


def story(lake: BrowsedLake, session_id: str, machine: str = "", tool: str = "") -> Story | None:
    """The story of a session, None if the lake has no such session. `machine` and `tool`
    distinguish sessions of one id."""
    where, values = _where(session_id, machine, tool)
    ((first, last, clients, client),) = lake.ask(
        f"select min(first), max(last), count(distinct tool), min(tool) from {ROWS} where {where}",
        values,
        over=MINUTES,
    ).rows
    if first is None:
        return None
    dates = (first.date(), last.date())
    one = client if clients == 1 else None
    sql = f"from timeline where {where} limit {MOST_EVENTS + 1}"
    events = lake.ask(sql, values, dates=dates, client=one, session=session_id).dicts()
    calls = lake.ask(
        f"select * from calls where {where} order by first_at limit {MOST_CALLS}",
        values,
    ).dicts()
    summaries = lake.ask(f"from {ROWS} where {where} limit 1", values, over=SESSIONS).dicts()
    made = Story(session_id, events[:MOST_EVENTS], calls, summaries[0] if summaries else {})
    made.asks = lake.ask(f"from {ROWS} where {where} limit {MOST_CALLS}", values, over=ASKS).dicts()
    # Several events and witnesses may report one prompt or compaction.
    text = f"where {where} limit {MOST_CALLS}"
    made.prompts = lake.ask(f"select * from prompts {text}", values).dicts()
    made.compactions = lake.ask(f"select * from compactions {text}", values).dicts()
    made.is_cut = len(events) > MOST_EVENTS or len(calls) == MOST_CALLS
    tokens = lake.ask(
        'select "timestamp", coalesce(input_tokens, 0) + coalesce(output_tokens, 0) from events'
        f" where {where} and (input_tokens is not null or output_tokens is not null)"
        ' and duplicate_of is null order by "timestamp"',
        values,
        dates=dates,
        client=one,
        session=session_id,
    ).rows
    made.cost_usd, made.unpriced = lake.cost_of(session_id, machine, tool)
    _draw(made, tokens)
    return made


def sessions_of(lake: BrowsedLake, session_id: str, machine: str = "", tool: str = "") -> int:
    """Return how many sessions have that id: one of two machines or clients is two sessions."""
    where, values = _where(session_id, machine, tool)
    sql = f"select count(distinct (machine_id, tool)) from {ROWS} where {where}"
    return int(lake.one(sql, values, over=MINUTES))


def sql_of(session_id: str, machine: str = "", tool: str = "") -> str:
    """The SQL of all events of a session in their order, for a reader and for export."""
    return f"select * from timeline where {filled(*_where(session_id, machine, tool))}"


def _where(session_id: str, machine: str, tool: str) -> tuple[str, list[str]]:
    parts, values = ["session_id = ?"], [session_id]
    for column, value in (("machine_id", machine), ("tool", tool)):
        if value:
            parts.append(f"{column} = ?")
            values.append(value)
    return " and ".join(parts), values


def _draw(made: Story, tokens: list[tuple[Any, ...]]) -> None:
    times = [row["timestamp"] for row in made.events if row["timestamp"]]
    times += [
        row["timestamp"] + timedelta(milliseconds=row["waited_ms"])
        for row in made.asks
        if row["waited_ms"]
    ]
    times += [row[end] for row in made.calls for end in ("first_at", "last_at") if row[end]]
    if not times:
        return
    scale = Scale(times)
    agents = dict.fromkeys(["", *(str(row["agent_id"] or "") for row in made.calls)])
    lanes = {agent: TOP + n * LANE for n, agent in enumerate(agents)}
    kinds = {str(row["agent_id"]): row["agent_type"] for row in made.events if row["agent_type"]}
    made.lanes = [(_lane(agent, kinds.get(agent)), float(y)) for agent, y in lanes.items()]
    before: dict[Any, float] = {}
    for row in made.calls:
        if row["first_at"] is None:
            continue
        x = scale.x(row["first_at"])
        width = max(3.0, scale.x(row["last_at"] or row["first_at"]) - x)
        mark = (row["agent_id"], row.get("action_fingerprint"))
        made.bars.append(
            Bar(x, float(lanes[str(row["agent_id"] or "")]), width, row, before.get(mark))
        )
        before.pop(mark, None)
        if row["outcome"] in ("error", "denied", "timeout"):
            before[mark] = x
    for row in made.asks:
        waited = timedelta(milliseconds=row["waited_ms"] or 0)
        x = scale.x(row["timestamp"])
        lane = lanes.get(str(row["agent_id"] or ""), TOP)
        after = f" after {waited.total_seconds():.1f} s" if waited else ""
        title = f"asked, {row['resolution']}{after}"
        width = max(2.0, scale.x(row["timestamp"] + waited) - x)
        made.waits.append(Wait(x, float(lane), width, title))
    moments = [(MARKS.get(str(row["event_type"])), row["event_type"], row) for row in made.events]
    moments += [("prompt", "Prompt", row) for row in made.prompts]
    moments += [("compaction", "Compaction", row) for row in made.compactions]
    for kind, name, row in moments:
        if kind is not None and row["timestamp"] is not None:
            title = f"{name} {row['timestamp']:%H:%M:%S}"
            made.marks.append(Mark(kind, scale.x(row["timestamp"]), title, row["event_id"]))
    for at, seconds in scale.pauses:
        x = round(LABEL + at * scale.unit, 1)
        made.marks.append(Mark("pause", x, f"pause of {seconds / 60:.0f} min"))
    made.height = TOP + len(lanes) * LANE + 8
    _draw_tokens(made, scale, tokens)
    made.axis = made.height
    made.height += AXIS_HEIGHT
    made.ticks = scale.ticks()


def _lane(agent: str, kind: str | None) -> str:
    """The name of a lane: an agent's kind and the end of its id; ids of one session begin alike."""
    if not agent:
        return "main"
    return f"{kind[:15]} {agent[-4:]}" if kind else agent


MARKS = {
    "Policy.Blocked": "deny",
    "Policy.Violation": "violation",
    "Retry.Loop.Detected": "loop",
    "Session.Abort": "abort",
}


def _draw_tokens(made: Story, scale: Scale, tokens: list[tuple[Any, ...]]) -> None:
    """Tokens as they add up, along the bottom of the picture."""
    made.token_total = sum(row[1] for row in tokens)
    if not made.token_total:
        return
    made.height += TOKEN_HEIGHT
    total = 0
    points = [f"{LABEL},{made.height - 4}"]
    for when, count in tokens:
        total += count
        y = made.height - 4 - (TOKEN_HEIGHT - 8) * total / made.token_total
        points.append(f"{scale.x(when)},{y:.1f}")
    last = points[-1].partition(",")[0]
    made.tokens = " ".join([*points, f"{last},{made.height - 4}"])
