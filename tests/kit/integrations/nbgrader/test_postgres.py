"""The gradebook in PostgreSQL: a private server, started for these tests by a user who is not root."""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import classroom
import pytest
from classroom import UNIT, WRONG, content, filled, hand_in, right

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]
PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))  # where Debian puts them, and not on the PATH


def program(name: str) -> str:
    found = shutil.which(name, path=os.pathsep.join([*map(str, reversed(PROGRAMS)), os.environ["PATH"]]))
    if not found:
        pytest.skip(f"{name} is not installed (Debian: apt-get install postgresql)")
    return found


@pytest.fixture(scope="module")
def server():
    """The URL of an empty database; the server listens on a socket in a folder of its own."""
    initdb, postgres = program("initdb"), program("postgres")
    user = getpass.getuser()
    if os.geteuid() == 0:  # which PostgreSQL refuses to run as
        import pwd

        user = next((u for u in ("postgres", "nobody") if u in {p.pw_name for p in pwd.getpwall()}), "")
        if not user:
            pytest.skip("there is no user but root")
    folder = Path(tempfile.mkdtemp(prefix="kit-pg-"))
    shutil.chown(folder, user)
    as_user = {"user": user, "cwd": folder} if os.geteuid() == 0 else {"cwd": folder}
    try:
        made = [initdb, "--pgdata", "data", "--auth", "trust", "--username", "kit", "--encoding", "UTF8", "--no-sync"]
        subprocess.run(made, check=True, capture_output=True, **as_user)
        with open(folder / "log", "w") as log:
            quiet = ("-c", "listen_addresses=", "-c", "fsync=off")
            running = subprocess.Popen(
                [postgres, "-D", "data", "-k", str(folder), *quiet], stdout=log, stderr=log, **as_user
            )  # fmt: skip
        try:
            url = f"postgresql+psycopg://kit@/postgres?host={folder}"
            assert ready(url), (folder / "log").read_text()
            yield url
        finally:
            running.terminate()
            running.wait(20)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def ready(url: str) -> bool:
    import sqlalchemy
    from sqlalchemy.exc import OperationalError
    from support import wait_until

    engine = sqlalchemy.create_engine(url)

    def answers() -> bool:
        try:
            engine.connect().close()
        except OperationalError:
            return False
        return True

    try:
        return wait_until(answers)
    finally:
        engine.dispose()


def test_both_lanes_in_postgresql(server, tmp_path, grader):
    kit, course = classroom.kit(tmp_path / "toy"), tmp_path / "course"
    grader("release", "--format", "nbgrader", "--to", course, "--lang", "zh", cwd=kit)
    with open(course / "nbgrader_config.py", "a", encoding="utf-8") as file:
        file.write(f"c.CourseDirectory.db_url = {server!r}\n")
    classroom.nbgrader("generate_assignment", UNIT, cwd=course)
    hand_in(course, "ann", filled(course, **right()))
    hand_in(course, "bob", filled(course, **{**right(), "scale": WRONG}))
    hand_in(course, "cyd", "no notebook")
    classroom.nbgrader("autograde", UNIT, "--create", cwd=course)
    slow = content(server)
    assert [slow[student, "total"][0] for student in ("ann", "bob", "cyd")] == [7, 4.9, 0]
    assert slow["bob", "scale-solution", "comment"][0].startswith("得 1.9 分，满分 4 分。6 项检查中有 3 项未通过。")

    with classroom.gradebook(server) as book:
        book.remove_submission(UNIT, "bob")
        book.remove_student("cyd")
    where = ("--nbgrader", course, "--assignment", UNIT, "--out", tmp_path / "results", "--course", kit)
    for _ in range(2):
        grader("grade", course / "submitted", *where, "--add-students", cwd=course, code=1)  # for cyd's sake
        assert content(server) == slow
    classroom.nbgrader("export", "--to", course / "grades.csv", cwd=course)
    rows = [line.split(",") for line in (course / "grades.csv").read_text().splitlines()]
    assert {row[3]: row[7] for row in rows} == {"student_id": "raw_score", "ann": "7.0", "bob": "4.9", "cyd": "0.0"}
