"""Errors of queries, each one line a user can act on.

HookstreamError        2
  NothingToRead        2   the path holds no stream
  QueryError           2   the question cannot be asked like this
    UnknownQuery       2   no query of that name
    RefusedSQL         2   free SQL that is not one SELECT over the stream
"""

from __future__ import annotations

from hookstream.core.errors import HookstreamError, NothingToRead

__all__ = ["NothingToRead", "QueryError", "QueryStopped", "RefusedSQL", "UnknownQuery"]


class QueryError(HookstreamError):
    """The question cannot be asked like this; the text says why. `unreadable` if the cause may be
    in the files, not in the question; `out_of_memory` where less of it was allowed than the answer
    takes; `hint` are further lines of DuckDB's, for a person."""

    unreadable = False
    out_of_memory = False
    hint = ""


class QueryStopped(QueryError):
    """The question took longer than it may."""


class UnknownQuery(QueryError):
    """No query has that name; the text names the nearest."""


class RefusedSQL(QueryError):
    """Free SQL that is not one SELECT over the stream, or that DuckDB refuses."""
