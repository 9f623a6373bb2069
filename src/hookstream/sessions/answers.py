"""Answers that name only the question they answer: a permission reply, a JSON-RPC response.

OpenCode's `permission.replied` has the request's id and an AOS answer the JSON-RPC id, nothing
else; what they are about is carried over from the question and listed in `synthesized`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.event import Event

ASKED_LIMIT = 4096
# An id of so many characters names one message wherever it is read.
LASTING = 16
ANSWERS = frozenset(
    ("Policy.Blocked", "Policy.Override", "vendor.aos.Decision", "vendor.aos.GuardianError")
)
JOINED = (
    "session_id parent_session_id tool turn_id call_id agent_id action_name action_category "
    "action_native command file_path url query mcp_server".split()
)


class Answers:
    """Open questions by (vendor, message id, machine), bounded."""

    def __init__(self) -> None:
        self.asked: dict[tuple[str, str, str], Event] = {}

    def new_source(self) -> None:
        """Short ids, such as the numbers of a JSON-RPC connection, start again in the next file."""
        for key in [key for key in self.asked if len(key[1]) < LASTING]:
            del self.asked[key]

    def park(self) -> dict[tuple[str, str, str], Event]:
        """The questions that only their own source can answer, taken out."""
        short = {key: one for key, one in dict.items(self.asked) if len(key[1]) < LASTING}
        self.new_source()
        return short

    def see(self, event: Event, named: set[str] | None = None) -> None:
        """Remember a question; gives an answer the facts of the question it belongs to.

        `named` gets the ids that mean the same message in every file.
        """
        facts = event.facts
        message = facts.get("message_id")
        if message is None:
            return
        key = (event.vendor, message, facts.get("machine_id", ""))
        answers = event.type in ANSWERS and "action_native" not in facts
        asks = event.vendor == "aos" or facts.get("notification_type") == "ToolPermission"
        if named is not None and (answers or asks) and len(message) >= LASTING:
            named.add(message)
        if answers:
            question = self.asked.get(key)
            if question is not None:
                self._join(event, question)
        elif asks:
            if len(self.asked) >= ASKED_LIMIT:
                del self.asked[next(iter(self.asked))]
            self.asked[key] = event

    def _join(self, event: Event, question: Event) -> None:
        facts, known = event.facts, question.facts
        for name in JOINED:
            own = name in facts and name not in event.synthesized
            if name not in known or (own and not (name == "tool" and facts[name] == event.vendor)):
                continue
            facts[name] = known[name]
            if name not in event.synthesized:
                event.synthesized.append(name)
        if question.hook_point is not None:
            facts.setdefault("decision_point", question.hook_point)
        if question.type != "Agent.Notification" or "call_id" not in known:
            # A question about no call (OpenCode: go on in a loop?) is itself what is answered.
            facts.setdefault("about", known["event_id"])
        if event.input is None:
            event.input = question.input
            event.content_arguments = question.content_arguments
