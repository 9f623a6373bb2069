"""n8n's event log: the same steps as of its executions, told by another witness."""

from hookstream.normalizers.n8n.transcript import VENDOR

__all__ = ["VENDOR"]
