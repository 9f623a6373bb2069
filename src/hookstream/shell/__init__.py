"""Command lines as a shell reads them: programs, arguments, redirections, and what they do.

    read(text).commands       every simple command, those in substitutions and `bash -c` texts too
    read(text).words          the text with quoted literals, heredoc bodies and comments blanked
    effects_of(text)          what they do, by name: forced_push, remote_code, data_sent ...

Used by the risk score and by the rules, so that both say the same. The parser (tree-sitter) is
imported when the first command is read: the hook never does.
"""
