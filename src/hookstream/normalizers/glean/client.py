"""Glean: exports of its audit log."""

from __future__ import annotations

from hookstream.normalizers.client import Client

CLIENT = Client(
    "glean",
    "Glean",
    proofs="-p- -n- -n- -n- -n- -n- -n- -n- -n- -n- -n-",
    remark="as documented, no recording: that agents ran, for whom and whether they failed",
)
