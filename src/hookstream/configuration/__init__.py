"""Settings of a machine and of a user: what there is (`catalog`), where it is read from (`machine`,
`files`), and how the two are laid over each other (`layers`). Hooks load this: no heavy import."""
