"""OpenAI Codex: its table, and beside it only what differs from other vendors."""
