"""Package managers: the words that install packages, and those that run one.

Plain data without imports, so that the hook can ask whether a tool call is an installation.
"""

from __future__ import annotations

# programs, ecosystem, words that install packages, words that run a package; "" means without a
# word.
_ROWS = (
    ("pip pip3", "pypi", "install", None),
    ("pipx", "pypi", "install|inject", "run"),
    ("uv", "pypi", "add|pip install|tool install", "tool run"),
    ("uvx", "pypi", None, ""),
    ("poetry pdm rye", "pypi", "add", None),
    ("pipenv", "pypi", "install", None),
    ("conda mamba micromamba", "conda", "install", None),
    ("npm", "npm", "install|i|add|ci", "exec|x"),
    ("pnpm", "npm", "add|install|i", "dlx"),
    ("yarn", "npm", "add|install|global add", "dlx"),
    ("bun", "npm", "add|install|i", "x"),
    ("deno", "npm", "add|install", None),
    ("npx bunx pnpx", "npm", None, ""),
    ("cargo", "cargo", "install|add", None),
    ("go", "golang", "get|install", None),
    ("gem", "gem", "install", None),
    ("bundle", "gem", "add", None),
    ("composer", "composer", "require|global require", None),
    ("brew", "brew", "install", None),
    ("apt apt-get aptitude", "deb", "install", None),
    ("dnf yum microdnf", "rpm", "install", None),
    ("zypper", "rpm", "install|in", None),
    ("apk", "apk", "add", None),
    ("snap", "snap", "install", None),
    ("docker podman nerdctl", "docker", "pull|image pull", None),
    ("dotnet", "nuget", "add package|tool install", None),
    ("nuget", "nuget", "install", None),
    ("choco", "choco", "install", None),
    ("winget", "winget", "install", None),
    ("scoop", "scoop", "install", None),
    ("cpanm", "cpan", "", None),
    ("luarocks", "luarocks", "install", None),
    ("install-module install-package", "powershell", "", None),
)
Verbs = tuple[tuple[str, ...], ...]


def _verbs(text: str | None) -> Verbs:
    return () if text is None else tuple(tuple(words.split()) for words in text.split("|"))


ECOSYSTEMS = {name: ecosystem for names, ecosystem, _, _ in _ROWS for name in names.split()}
INSTALLS = {name: _verbs(verbs) for names, _, verbs, _ in _ROWS for name in names.split()}
RUNS = {name: _verbs(verbs) for names, _, _, verbs in _ROWS for name in names.split()}
