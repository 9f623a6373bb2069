"""The one delivery loop: sources into a durable spool, the spool to every sink at its own pace.

    sources -> watch, tail -> reader (Pipeline, checkpoint) -> spool -> sender (cursor) -> sink
                                                                    \\-> sender (cursor) -> sink

The reader writes finished Events to the spool once; each sender has its own cursor over it. Why it
is built so stands in docs/decisions/0005-delivery.md, what follows from it in docs/guarantees.md.
"""
