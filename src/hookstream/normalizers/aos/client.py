"""AOS and ACS, as specified."""

from __future__ import annotations

from hookstream.normalizers.client import Client, ClientTelemetry

CLIENT = Client(
    "aos",
    "AOS and ACS guardians",
    telemetry=ClientTelemetry(events="acs."),
    proofs="y-p y-p y-y n-n y-y y-y n-n y-y y-y n-n n-n",
    remark="AOS and ACS as specified, no recording; telemetry: the Trace profile of ACS, whose "
    "spans hold no prompt, no arguments, no result and no id of a call",
)
