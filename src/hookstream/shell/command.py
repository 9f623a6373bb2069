"""One simple command of a command line, its wrappers (sudo, env, xargs ...) taken off."""

from __future__ import annotations

# Options that take the next word as their value, of programs whose operands matter.
VALUES: dict[str, frozenset[str]] = {
    name: frozenset(options.split())
    for name, options in {
        "git": "-C -c --git-dir --work-tree --namespace --exec-path --config-env",
        "kubectl": "-n --namespace --context --cluster --kubeconfig -f -l -o --user -s --server",
        "docker": "-H --host --context -c --config -l --log-level",
        "podman": "--url --connection -c --log-level",
        "terraform": "",
        "gh": "-R --repo",
        "aws": "--profile --region --output --endpoint-url --query",
        "gcloud": "--project --account --configuration --format",
        "az": "--subscription -o --output --query",
        "npm": "--prefix --workspace -w --registry",
        "pip": "-i --index-url --extra-index-url -r -c --proxy --cert",
        "ssh": "-i -p -l -o -F -J -L -R -D -W -b -c -E -e -I -m -O -Q -S -w -B",
        "systemctl": "-H -M -t -p --type --property",
        "dig": "-b -c -f -k -p -q -t -x -y",
        "head": "-n -c",
        "tail": "-n -c",
        "grep": "-e -m -A -B -C --include --exclude",
    }.items()
}


class Command:
    """A simple command. `program` is its lower-case base name, `args` the words after it as the
    shell passes them on, `redirects` (operator, target), `stdin` the text of a heredoc or
    herestring, `fed_by` the commands whose output it reads (a pipe, `<( )`), `inner` those whose
    output stands in its arguments (`$( )`)."""

    __slots__ = (
        "args",
        "assigned",
        "fed_by",
        "inner",
        "path",
        "privileged",
        "program",
        "redirects",
        "stdin",
    )

    def __init__(self, words: list[str]) -> None:
        self.path = words[0] if words else ""
        self.program = base_name(self.path)
        self.args = words[1:]
        self.assigned: list[str] = []
        self.redirects: list[tuple[str, str]] = []
        self.stdin: list[str] = []
        self.fed_by: list[Command] = []
        self.inner: list[Command] = []
        self.privileged = False

    def has(self, *options: str) -> bool:
        """Whether one of the options is given: `--name`, `--name=value`, or `-x` in a cluster."""
        for word in self.args:
            if word == "--":
                return False
            if not word.startswith("-") or len(word) < 2:
                continue
            for option in options:
                if word == option or (word.startswith(option + "=") and option.startswith("--")):
                    return True
                if len(option) == 2 and word[1] != "-" and option[1] in word[1:9]:
                    return True
        return False

    def operands(self) -> list[str]:
        """The arguments that are no option and no value of one."""
        valued = VALUES.get(self.program, frozenset())
        found: list[str] = []
        skip = literal = False
        for word in self.args:
            if skip:
                skip = False
            elif not literal and word == "--":
                literal = True
            elif not literal and word.startswith("-") and len(word) > 1:
                skip = word in valued
            else:
                found.append(word)
        return found

    def verb(self, *words: str) -> bool:
        """Whether the first operands are these words; a word may name several as `a|b`."""
        operands = self.operands()
        if len(operands) < len(words):
            return False
        pairs = zip(words, operands, strict=False)
        return all(have.lower() in want.split("|") for want, have in pairs)

    def sources(self) -> list[Command]:
        """The commands whose output comes in by pipe, `<( )` or `$( )`, nearest first."""
        found = [*self.fed_by, *self.inner]
        for one in found:
            if len(found) > 50:
                break
            found += [more for more in (*one.fed_by, *one.inner) if more not in found]
        return found

    def __repr__(self) -> str:
        return f"Command({' '.join([self.program, *self.args])!r})"


def base_name(path: str) -> str:
    """`/usr/bin/Git.exe` -> `git`."""
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()
    return name.removesuffix(".exe")
