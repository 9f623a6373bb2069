"""Continue: session files alone."""

from __future__ import annotations

from hookstream.core.places import Place
from hookstream.normalizers.client import Client

CLIENT = Client(
    "continue",
    "Continue",
    sessions=(Place("$CONTINUE_GLOBAL_DIR/sessions or ~/.continue/sessions"),),
    proofs="-y- -y- -p- -p- -y- -y- -n- -p- -p- -y- -n-",
    remark="a shell command without output on its standard error is `done` whatever its exit "
    "code; a compaction removes from the file what it sums up",
    documents=".continue/sessions/*-*.json *.session.json",
)
