"""A home written with `~` is the folder that the client's machine has for it."""

from __future__ import annotations

import pytest

from hookstream.shell.paths import paths_of


@pytest.mark.parametrize(
    ("word", "folder", "path"),
    [
        ("~/.netrc", "/home/ada/work", "/home/ada/.netrc"),
        ("~/.netrc", "/Users/ada/work", "/Users/ada/.netrc"),
        ("~/.netrc", "/root/work", "/root/.netrc"),
        ("~/.netrc", "/srv/work", "~/.netrc"),
        ("~ada/.netrc", "/Users/ada/work", "/Users/ada/.netrc"),
        ("~bob/.netrc", "/Users/ada/work", "/Users/bob/.netrc"),
        ("~bob/.netrc", "/home/ada/work", "/home/bob/.netrc"),
        ("~bob/.netrc", "/root/work", "/home/bob/.netrc"),
        ("~bob/.netrc", "/srv/work", "/home/bob/.netrc"),
        ("$HOME/.netrc", "/Users/ada/work", "/Users/ada/.netrc"),
    ],
)
def test_a_home_is_next_to_that_of_the_working_folder(word: str, folder: str, path: str) -> None:
    assert paths_of(f"cat {word}", None, folder).about == (path,)
