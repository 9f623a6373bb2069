"""What nothing but a command or a user's program imports; each part needs an extra.

Callbacks of agent frameworks append to the same log as hooks: spans hide many refusals, callbacks
do not. Each of these modules imports its framework, which is no dependency of hookstream.

    from hookstream.integrations.openai_agents import watch
    await Runner.run(agent, "...", hooks=watch())
"""
