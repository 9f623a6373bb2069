"""n8n: its stored executions and its event log."""
