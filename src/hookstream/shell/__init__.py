"""Command lines as a shell reads them: the only reader of commands.

    facts_of(text)            all that is asked of a line, read once and kept: words, programs, effects,
                              files, hosts and URLs, packages, how it is used (`facts.py`)
    read(text).commands       every simple command, those in substitutions and `bash -c` texts too
    effects_of(text)          what they do, by name: forced_push, remote_code, data_sent ...

Used by the risk score, the rules, the tables and AARTS artifacts, so that all give one answer. The
parser (tree-sitter) is imported when the first command is read: the hook never does.
"""
