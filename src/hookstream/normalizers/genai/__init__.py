"""GenAI spans: five dialects of attributes, read into the contents of a span (`span.Told`).

`dialects.read` finds the dialect of a span; `telemetry` is the table of what comes out. How spans
belong together (calls without ids, questions and their answers) is found where they are collected
(hookstream.otlp.frameworks).
"""
