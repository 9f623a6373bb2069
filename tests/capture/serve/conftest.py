"""A home with a short path: the address of a Unix socket holds 107 bytes."""

import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from hook_runner import Home

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def home():
    folder = Path(tempfile.mkdtemp(prefix="hs"))
    yield Home(folder)
    shutil.rmtree(folder, ignore_errors=True)
