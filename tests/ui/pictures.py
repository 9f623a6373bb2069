"""Makes the pictures of docs/images anew, with Debian's Chromium over a lake of `make fleet`.

python -m tests.ui.pictures [LAKE] [FOLDER]
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from selenium import webdriver
from tests.ui.test_browser import ARGUMENTS, serving

# The session with the most agents; of those the one with the most denies.
SESSION = """select session_id from calls group by session_id order by
count(distinct agent_id) desc, count(*) filter (outcome = 'denied') desc, session_id limit 1"""


def opened() -> webdriver.Chrome:
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in (*ARGUMENTS, "--hide-scrollbars"):
        options.add_argument(argument)
    return webdriver.Chrome(
        options=options, service=webdriver.ChromeService(shutil.which("chromedriver"))
    )


def session_of(lake: Path) -> str:
    command = [sys.executable, "-m", "hookstream", "query", SESSION, str(lake), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return str(json.loads(done.stdout)[0]["session_id"])


def main() -> None:
    lake, folder = map(
        Path, (sys.argv[1:] + ["out/fleet/lake", "docs/images"][len(sys.argv) - 1 :])
    )
    pictures = {
        # First: the overview names findings once they are evaluated.
        "findings": ("dark", "findings"),
        "overview": ("light", ""),
        "denies": ("light", "denies?certainty=observed"),
        "session": ("light", f"session/{session_of(lake)}"),
    }
    address, process = serving(lake)
    browser = opened()
    try:
        browser.set_window_size(1360, 900)
        browser.get(address)
        for name, (theme, page) in pictures.items():
            browser.execute_script(f"localStorage.setItem('theme', '{theme}')")
            # Twice: the first visit derives the rows, and its time stands on the page.
            for _ in range(2):
                browser.get(address.partition("?")[0] + page)
            browser.save_screenshot(str(folder / f"{name}.png"))
    finally:
        browser.quit()
        process.terminate()
        process.wait(10)


if __name__ == "__main__":
    main()
