"""The pipeline as a function over Arrow record batches, for engines that keep the state.

    from hookstream.engine import State, normalise

    state = State(key, now="2026-11-21T12:00:00Z")
    events, state = normalise(batch, state)
    data = state.dump()
    state = State.load(data, key, now="2026-11-21T12:00:00Z")

One state is one machine's log in its order: what a record means depends on those before it, and on
nothing of other machines. `run`, its workers, Spark tasks and followers run the same pipeline, and
followers and consumers of Kafka and JetStream keep its state in the same form.
"""

from hookstream.pipeline.batches import normalise
from hookstream.pipeline.state import State, StateError

__all__ = ["State", "StateError", "normalise"]
