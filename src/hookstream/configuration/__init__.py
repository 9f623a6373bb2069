"""Settings of a machine and of a user: the names (`catalog`), the sources (`machine`, `files`), and
their precedence (`layers`). Hooks load this: no heavy import."""
