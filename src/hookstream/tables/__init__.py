"""Derived tables: calls, denies, sessions, loops and so on, each decided once from the events.

`sql/` holds one relation a file; `relations` makes them over a connection whose `base.events`
holds the events of whole sessions: those of a stream that is asked, or of a batch that is built.
"""
