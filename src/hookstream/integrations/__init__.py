"""Modules that only a command or a program of a user imports; each needs an extra.

Callbacks of agent frameworks append to the same log as hooks: spans hide many refusals, callbacks
do not. Each of these modules imports its framework, which hookstream does not depend on.

    from hookstream.integrations.openai_agents import watch
    await Runner.run(agent, "...", hooks=watch())
"""
