"""Native tools: what each one does, and which of its arguments is the target."""

from __future__ import annotations


class Tool:
    """A native tool: its Agent Hooks action, its AARTS category, its target among the arguments."""

    def __init__(
        self,
        action: str,
        category: str,
        *,
        command: str | tuple[str, ...] | None = None,
        file_path: str | tuple[str, ...] | None = None,
        url: str | tuple[str, ...] | None = None,
        query: str | tuple[str, ...] | None = None,
        content: tuple[str, ...] = (),
    ) -> None:
        self.action = action
        self.category = category
        self.command = command
        # (fact, names of the argument that gives it)
        self.targets = tuple(
            (fact, (names,) if isinstance(names, str) else names)
            for fact, names in (("file_path", file_path), ("url", url), ("query", query))
            if names is not None
        )
        self.content = frozenset(content)


# The tools every vendor has under some name; a table gives the names of the arguments.


def shell(command: str | tuple[str, ...] = "command") -> Tool:
    return Tool("shell", "shell", command=command)


def read(file_path: str | tuple[str, ...] = "file_path") -> Tool:
    return Tool("read_file", "file_read", file_path=file_path)


def write(file_path: str | tuple[str, ...] = "file_path") -> Tool:
    return Tool("write_file", "file_write", file_path=file_path)


def edit(file_path: str | tuple[str, ...] = "file_path", action: str = "write_file") -> Tool:
    return Tool(action, "file_edit", file_path=file_path)


def delete(file_path: str | tuple[str, ...] = "file_path") -> Tool:
    return Tool("delete_file", "file_delete", file_path=file_path)


def find(query: str | tuple[str, ...] = "pattern", path: str | tuple[str, ...] = "path") -> Tool:
    return Tool("search_files", "other", query=query, file_path=path)


def listing(path: str | tuple[str, ...] = "path") -> Tool:
    return Tool("list_files", "other", file_path=path)


def fetch(url: str | tuple[str, ...] = "url") -> Tool:
    return Tool("web_search", "web_request", url=url)


def search(query: str | tuple[str, ...] = "query") -> Tool:
    return Tool("web_search", "other", query=query)


def delegate() -> Tool:
    return Tool("delegate", "delegate")
