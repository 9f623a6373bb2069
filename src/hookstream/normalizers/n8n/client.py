"""n8n: stored executions and the event log."""

from __future__ import annotations

from hookstream.core.places import Place
from hookstream.normalizers.client import Client

CLIENT = Client(
    "n8n",
    "n8n",
    sessions=(Place("$N8N_USER_FOLDER/.n8n or ~/.n8n"),),
    proofs="-pp -pp -yn -nn -nn -nn -nn -nn -pn -yy -yy",
    remark="session file: stored executions; telemetry: the event log, where a failed tool is "
    "finished like any other",
    documents=".n8n/database.sqlite *.execution.json",
)
