"""The example notebook runs from begin to end in a real kernel, in an empty folder."""

from __future__ import annotations

from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[2] / "examples" / "hunting.ipynb"


@pytest.mark.long
def test_the_notebook_runs_and_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.delenv("HOOKSTREAM_LAKE", raising=False)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    book = nbformat.read(NOTEBOOK, 4)
    assert not any(cell.get("outputs") for cell in book.cells), "outputs are not kept"
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(book, timeout=240, kernel_name="python3", resources=resources).execute()
    shown = [
        "".join(
            output.get("text", "") or output.get("data", {}).get("text/plain", "")
            for output in cell.outputs
        )
        for cell in book.cells
        if cell.cell_type == "code"
    ]
    assert all(shown), [n for n, text in enumerate(shown) if not text]
    assert "denies" in shown[1] and "Policy.Blocked" in shown[3]
    assert "claude-code" in shown[2] and "executed_afterwards" in shown[2]
    assert "high" in shown[5] or "critical" in shown[5]
    assert (tmp_path / "analyst.duckdb").exists()
