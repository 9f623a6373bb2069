"""One simple command of a command line, its wrappers (sudo, env, xargs ...) taken off."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Options that take the next word as their value, of programs whose operands matter.
VALUES: dict[str, frozenset[str]] = {
    name: frozenset(options.split())
    for names, options in {
        "git": "-C -c --git-dir --work-tree --namespace --exec-path --config-env",
        "kubectl": "-n --namespace --context --cluster --kubeconfig -f -l -o --user -s --server",
        "docker": "-H --host --context -c --config -l --log-level --platform -u --username -p --password",
        "podman nerdctl": "--url --connection -c --log-level --platform",
        "terraform": "",
        "gh": "-R --repo",
        "aws": "--profile --region --output --endpoint-url --query",
        "gcloud": "--project --account --configuration --format",
        "az": "--subscription -o --output --query",
        "curl": "-o --output -H --header -d --data --data-raw --data-binary --data-urlencode --data-ascii --json -X --request "
        "-A --user-agent -e --referer -u --user -T --upload-file -F --form --form-string -b --cookie -c --cookie-jar "
        "-m --max-time --connect-timeout -x --proxy -U --proxy-user -K --config -E --cert --key --cacert --capath -r --range "
        "-w --write-out -y --speed-time -Y --speed-limit -z --time-cond -t --telnet-option -C --continue-at -D --dump-header "
        "-P --ftp-port -Q --quote --url --retry --retry-delay --retry-max-time --resolve --connect-to --interface --limit-rate "
        "--max-redirs --ciphers --pinnedpubkey --output-dir --unix-socket --variable --aws-sigv4 --socks5 --socks5-hostname "
        "--preproxy --doh-url --dns-servers --max-filesize --stderr --trace --trace-ascii --oauth2-bearer --proto --proxy-header",
        "wget": "-O --output-document -o --output-file -a -i --input-file -t --tries -T --timeout -U --user-agent --header "
        "-P --directory-prefix --post-data --post-file --body-data --body-file --method --user --password -e --execute -Q "
        "-w --wait --referer --load-cookies --save-cookies --ca-certificate --certificate --limit-rate -l --level -A -R -D -B --base",
        "aria2c": "-o --out -d --dir -x -s -j -k -i --input-file --header --user-agent -U --checksum",
        "iwr irm invoke-webrequest invoke-restmethod": "-OutFile -outfile -Method -method -Headers -headers -Body -body "
        "-ContentType -contenttype -UserAgent -useragent -TimeoutSec -timeoutsec -Credential -InFile -infile -Proxy -SessionVariable",
        "http https xh httpie": "-a --auth -o --output -A --auth-type --session --timeout",
        "nc ncat netcat": "-w -p -i -s -x -X -q -o -e -c -g -G -T -I -O -V -W -m --wait --source-port --proxy --exec --sh-exec",
        "telnet": "-l -n -e -b",
        "ssh autossh sftp mosh ssh-copy-id": "-i -p -P -l -o -F -J -L -R -D -W -b -c -E -e -I -m -M -O -Q -S -w -B",
        "scp": "-i -P -o -F -J -l -c -S -D",
        "rsync": "-e --rsh -f --filter --exclude --include --exclude-from --include-from --files-from --rsync-path "
        "--password-file --bwlimit --timeout --port -B -T --temp-dir --log-file --out-format",
        "pip pip3": "-i --index-url --extra-index-url -r --requirement -c --constraint -t --target --prefix --root --proxy "
        "--cert --python --platform -f --find-links --timeout --retries --cache-dir --src --upgrade-strategy --only-binary "
        "--no-binary --progress-bar --log --config-settings -C --report --abi --implementation --python-version",
        "pipx": "--python --pip-args -i --index-url --suffix --spec",
        "uv uvx": "--index --index-url -i --default-index --extra-index-url -f --find-links -p --python --group --optional "
        "--extra --with -w --from --prerelease -r --requirements --requirement -c --constraint --constraints --target --prefix "
        "--tag --branch --rev --package --project --directory --resolution --exclude-newer --cache-dir --link-mode --config-file",
        "poetry pdm rye pipenv": "-G --group --source -E --extras --python -p --platform -C --directory -r --requirements --index",
        "conda mamba micromamba": "-n --name -c --channel -p --prefix --file --solver",
        "npm": "--prefix --workspace -w --registry --tag --cache --loglevel --omit --include --userconfig --package -c --call -C",
        "pnpm": "-C --dir --filter -F --registry --reporter --workspace-concurrency",
        "yarn": "--cwd --registry --modules-folder --network-timeout",
        "bun": "--cwd --registry --config",
        "npx bunx pnpx": "-p --package -c --call --registry --prefix --cache",
        "cargo": "--version --vers --git --branch --tag --rev --path --root --features -F --target --registry --index --package "
        "-p --rename -j --jobs --profile --target-dir --config --manifest-path -Z --bin --example",
        "go": "-C -ldflags -tags -mod -modfile -gcflags -asmflags -o -p -overlay -buildmode",
        "gem": "-v --version -s --source -n --bindir -i --install-dir -P --trust-policy --platform -g --file",
        "bundle": "--version -v --group -g --source -s --git --branch --path --require -r",
        "composer": "-d --working-dir",
        "apt apt-get aptitude": "-t --target-release -o -c --option --config-file -a",
        "apk": "-t --virtual -X --repository -p --root --arch --keys-dir --repositories-file --cache-dir --wait",
        "dnf yum microdnf": "--repo --repoid --enablerepo --disablerepo -c --config --installroot --releasever -x --exclude",
        "snap": "--channel --revision",
        "dotnet nuget": "-v --version -s --source -f --framework --package-directory --add-source --tool-path --configfile -OutputDirectory -Version -Source",
        "choco scoop": "--version --source -s --params --installargs",
        "winget": "--id --version -v --source -s --scope --name --locale",
        "install-module install-package": "-Name -Scope -Repository -RequiredVersion -MinimumVersion -Source -ProviderName",
        "psql pg_dump pg_restore": "-h --host -p --port -U --username -d --dbname -f --file -c --command -o -v -F",
        "mysql mysqldump mariadb": "-h --host -P --port -u --user -D --database -e --execute",
        "redis-cli": "-h -p -a -n -u --user --pass",
        "systemctl": "-H -M -t -p --type --property",
        "dig": "-b -c -f -k -p -q -t -x -y",
        "remove-item ri set-content add-content out-file new-item ni copy-item move-item": "-ErrorAction -EA -Value "
        "-Encoding -Exclude -ItemType -erroraction -ea -value -encoding -exclude -itemtype",
        "head": "-n -c",
        "tail": "-n -c",
        "grep": "-e -m -A -B -C --include --exclude",
    }.items()
    for name in names.split()
}


class Command:
    """A simple command. `program` is its lower-case base name, `args` the words after it as the
    shell passes them on, `redirects` (operator, target), `stdin` the text of a heredoc or
    herestring, `fed_by` the commands whose output it reads (a pipe, `<( )`), `inner` those whose
    output is in its arguments (`$( )`). `runs_texts`: its arguments were read as separate commands
    (`bash -c`, `find -exec`); `encoded`: it was read from a text in base64; `spread`: the place of
    xargs's input words, "" for the end, None without xargs; `typed` is its text, `layers` the words
    from each of its wrappers on, `parent` the command whose argument it is, `folder` where the line
    has gone to."""

    __slots__ = (
        "args",
        "assigned",
        "encoded",
        "fed_by",
        "folder",
        "inner",
        "layers",
        "parent",
        "path",
        "privileged",
        "program",
        "redirects",
        "runs_texts",
        "spread",
        "stdin",
        "typed",
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
        self.runs_texts = False
        self.encoded = False
        self.spread: str | None = None
        self.typed = ""
        self.layers: list[list[str]] = []
        self.parent: Command | None = None
        self.folder = ""

    def has(self, *options: str) -> bool:
        """Return whether one of the options is given: `--name`, `--name=value`, or `-x` in a
        cluster."""
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
        """The arguments that are neither an option nor its value."""
        return self.operands_of(self.program, self.args)

    def operands_of(self, program: str, args: list[str]) -> list[str]:
        """The same of a program that the command runs, as `python -m pip` does."""
        valued = VALUES.get(program, frozenset())
        operands: list[str] = []
        skip = literal = False
        for word in args:
            if skip:
                skip = False
            elif not literal and word == "--":
                literal = True
            elif not literal and word.startswith("-") and len(word) > 1:
                skip = word in valued or (
                    word[1] != "-" and len(word) > 2 and _ends_open(word, valued)
                )
            else:
                operands.append(word)
        return operands

    def verb(self, *words: str) -> bool:
        """Return whether the first operands are these words; a word may name several as `a|b`."""
        operands = self.operands()
        if len(operands) < len(words):
            return False
        pairs = zip(words, operands, strict=False)
        return all(have.lower() in want.split("|") for want, have in pairs)

    def sources(self) -> list[Command]:
        """The commands whose output comes in by pipe, `<( )` or `$( )`, nearest first."""
        commands = [*self.fed_by, *self.inner]
        for command in commands:
            if len(commands) > 50:
                break
            commands += [more for more in (*command.fed_by, *command.inner) if more not in commands]
        return commands

    def __repr__(self) -> str:
        return f"Command({' '.join([self.program, *self.args])!r})"


def _ends_open(word: str, valued: frozenset[str]) -> bool:
    """Return whether the last of several one-letter options takes the next word: `-fsSLo FILE`."""
    for at, letter in enumerate(word[1:], 2):
        if f"-{letter}" in valued:
            return at == len(word)
        if not letter.isalpha():
            break
    return False


def base_name(path: str) -> str:
    """`/usr/bin/Git.exe` -> `git`."""
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()
    return name.removesuffix(".exe").removesuffix(".cmd")


def distinct(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in words if word))
