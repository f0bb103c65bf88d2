"""Each save is told once: by the thread that watches, or sooner by whoever looks at once."""

from __future__ import annotations

import time

from support import wait_until

from grader.learner.saved_files import LOOK, watched


def test_what_was_looked_at_is_not_told_again(tmp_path):
    told = []
    with watched(tmp_path, ["a.py", "b.py"], told.append) as look:
        (tmp_path / "a.py").write_text("1", encoding="utf-8")
        look()
        assert told == [["a.py"]]
        time.sleep(2 * LOOK / 1000)
        assert told == [["a.py"]]
        (tmp_path / "b.py").write_text("1", encoding="utf-8")
        (tmp_path / "c.py").write_text("1", encoding="utf-8")
        assert wait_until(lambda: told[1:] == [["b.py"]], 10), told
        (tmp_path / "a.py").unlink()
        assert wait_until(lambda: told[2:] == [["a.py"]], 10), told
