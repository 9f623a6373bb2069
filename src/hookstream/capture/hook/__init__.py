"""The hook program: normalises one payload, redacts it and appends it within the agent's budget."""
