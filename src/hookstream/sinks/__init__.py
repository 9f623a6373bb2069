"""Where the stream goes: one module a kind of sink; `open_sink` reads a URI."""
