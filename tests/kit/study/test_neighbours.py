"""`grader study` among other users and programs of the machine, and asked what no page of ours asks."""

from __future__ import annotations

import concurrent.futures
import contextlib
import http.server
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading

import pytest

from grader import atomic_write
from grader.learner.progress import Standing
from grader.serving import guard, running

pytestmark = pytest.mark.slow
STRANGER = 12345  # a user that is neither root nor the learner
CONNECTS = """
import os, socket, sys
"".encode("idna")  # loaded while we may still read it
os.getuid() or os.setuid(int(sys.argv[1]))
connected = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
print(connected.getsockname()[1], flush=True)
sys.stdin.read()
"""
HIDDEN = """(hidden) => {
    Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def squatter():
    """A program of somebody else's at a port, which answers everything; what it was sent."""
    sent = []

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            sent.append((self.path, dict(self.headers)))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"course": "guessed", "proof": "guessed"}).encode())

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1], sent
        server.shutdown()


def kept(tmp_path, port, mode=0o600):
    path = tmp_path / ".grader" / "study.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"port": port, "token": "secret"}), encoding="utf-8")
    path.chmod(mode)
    return path


def test_who_has_our_port_learns_no_token_and_is_not_believed(tmp_path, squatter):
    port, sent = squatter
    path = kept(tmp_path, port)
    there, listening = running.place(tmp_path, path, None)
    with contextlib.closing(listening):
        assert there.port != port
    assert sent
    assert "secret" not in json.dumps(sent)
    assert there.token != "secret"  # which browsers may have told
    assert json.loads(path.read_text("utf-8"))["token"] == there.token


def test_the_server_that_runs_is_known_by_what_it_proves(study):
    there = running.Place(int(study.port), study.token)
    assert running.alive(there, study.course)
    assert not running.alive(there, study.course.parent)
    assert not running.alive(running.Place(there.port, "guessed"), study.course)
    assert study.token not in study.ask("/alive?asked=x", Cookie=None)[2]


@pytest.mark.skipif(os.name != "posix", reason="files have owners there only")
def test_a_token_that_others_could_read_is_not_used_again(tmp_path):
    path = kept(tmp_path, 0, 0o644)  # as a course has it that was cloned with it
    there, listening = running.place(tmp_path, path, 0)
    with contextlib.closing(listening):
        assert there.token != "secret"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix", reason="files have rights there only")
def test_a_secret_is_one_from_its_first_moment(tmp_path, monkeypatch):
    modes = []
    monkeypatch.setattr(os, "fsync", lambda file: modes.append(stat.S_IMODE(os.fstat(file).st_mode)))
    running.place(tmp_path, tmp_path / "place.json", 0)[1].close()
    assert modes[-1] == 0o600


@pytest.fixture
def connection():
    """A connection of another process, under another user's number where we may: our port, its port, the process."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        server.settimeout(20)
        command = [sys.executable, "-I", "-S", "-c", CONNECTS, str(STRANGER), str(port)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            with server.accept()[0]:
                yield port, int(process.stdout.readline()), process
            process.kill()


@pytest.mark.skipif(not os.path.exists("/proc/net/tcp"), reason="the system does not say whose a connection is")
def test_connections_of_other_users_are_told_from_ours(connection, monkeypatch):
    port, client, process = connection
    owner = os.getuid() or STRANGER
    for user, other in ((owner, False), (owner + 1, True), (0, False)):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        assert guard.others(client, port) is other
    monkeypatch.setattr(os, "geteuid", lambda: owner)
    process.kill()
    process.wait()
    assert guard.others(client, port)  # sent, and gone before anybody could look
    monkeypatch.setattr(guard, "SOCKETS", ("/nowhere",))
    assert not guard.others(client, port)


def test_a_head_without_end(study):
    with socket.create_connection(("127.0.0.1", int(study.port)), timeout=20) as raw:
        raw.sendall(b"GET / HTTP/1.1\r\nX: ")
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            raw.sendall(b"x" * 100_000_000)
    assert study.ask("/alive")[0] == 200


def test_no_websocket_is_opened(study):
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13"}
    for path in ("/editor/index.js", "/events"):
        status, headers, _ = study.ask(path, Origin="http://evil.example", Sec_WebSocket_Key="eA==", **upgrade)
        assert (status, headers["x-frame-options"]) == (403, "DENY")


def test_an_open_page_is_no_fault_when_it_ends(start):
    study = start()
    with socket.create_connection(("127.0.0.1", int(study.port)), timeout=20) as raw:
        cookie = f"grader-study-{study.port}={study.token}"
        raw.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{study.port}\r\nCookie: {cookie}\r\n\r\n".encode())
        assert b"200" in raw.recv(1000)
        study.process.send_signal(signal.SIGINT)
        assert "Traceback" not in study.process.communicate(timeout=60)[0]


@pytest.mark.parametrize("way", ["answer", "again"])
@pytest.mark.parametrize("value", [1, 1.5, True, {"a": 1}, [[1]], [[["deep"]]], float("nan"), {"a": {"b": {"c": "d"}}}])
def test_an_answer_that_no_form_gives(study, way, value):
    before = study.file("answers.yaml").read_bytes()
    assert study.ask(f"/{way}/quiz/a_third", "POST", {"value": value})[0] == 404
    assert study.file("answers.yaml").read_bytes() == before


@pytest.mark.parametrize("place", ["quiz/nowhere", "scale/one", "quiz/%00"])
def test_an_answer_to_what_is_not_asked(study, place):
    for way in ("answer", "again"):
        assert study.ask(f"/{way}/{place}", "POST", {"value": "a"})[0] == 422


def test_an_exercise_is_checked_once_however_often_it_is_named(study):
    from grader.course import course as courses
    from grader.learner.checking import Checking
    from grader.study import StudySession

    session = StudySession.__new__(StudySession)
    asked = []
    session._lock, session.latest, session._pages = threading.RLock(), {}, {}
    session._checking = Checking(courses.load(study.course), type("", (), {"ask": asked.append})())
    session.check(["scale"] * 1000)
    assert session._checking._todo + asked == ["scale"]


def test_many_pages_of_one_browser(study, visit):
    first = visit(study, "/unit/1")
    for page in (first, *(first.context.new_page() for _ in range(7))):
        page.goto(study.origin + "/unit/1")
        page.locator("#scale .cm-content").wait_for()
        page.evaluate(HIDDEN, True)
    study.file("scale.py").write_text("# theirs\n", encoding="utf-8")
    study.verdict("scale", lambda v: v["state"] == "failed")
    first.evaluate(HIDDEN, False)
    first.locator("#scale .cm-line", has_text="# theirs").wait_for()


def test_one_file_written_by_many_threads_is_one_of_theirs(tmp_path):
    path, texts = tmp_path / "file", [str(n) * 100_000 for n in range(8)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: atomic_write.replace(path, texts[n % 8]), range(80)))
    assert path.read_text("utf-8") in texts
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_no_hint_is_lost_where_many_are_asked_for_at_once(study):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert {status for status, *_ in pool.map(lambda _: study.ask("/hint/scale", "POST", {}), range(24))} == {200}
    folders = json.loads((study.course / ".grader" / "progress.json").read_text("utf-8"))["folders"]
    assert Standing(**folders["exercises"]["scale"]).hints == 2
