"""Delivery: from sources into a durable spool, and from the spool to every sink independently.

    sources -> discovery, tail -> reader (Pipeline, checkpoint) -> spool -> sender (cursor) -> sink
                                                                        \\-> sender (cursor) -> sink

The reader writes finished Events to the spool once; each sender has its own cursor over it. Why it
is built so is documented in docs/decisions/0005-delivery.md, the guarantees in docs/guarantees.md.
"""
