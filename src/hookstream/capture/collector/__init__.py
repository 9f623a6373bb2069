"""The collector: one process a machine that takes payloads from hooks, HTTP hooks and AOS."""
