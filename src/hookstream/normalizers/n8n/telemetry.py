"""n8n's event log: the same steps as its executions, from another witness."""

from hookstream.normalizers.n8n.transcript import VENDOR

__all__ = ["VENDOR"]
