"""Kilo, a fork of OpenCode: its plug-in's callbacks, database and telemetry."""
