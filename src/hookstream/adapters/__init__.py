"""Adapters that a program adds to its own agent framework: a few lines, appending to the same log.

Spans hide many refusals; the frameworks' own callbacks do not. Each module here imports its
framework, which is not a dependency of hookstream: nothing imports them but the program.

    from hookstream.adapters.openai_agents import watch
    await Runner.run(agent, "...", hooks=watch())
"""
