"""`grader study` as a server: who may ask, what is saved, what it says of files that are not as they should be."""

from __future__ import annotations

import json
import os
import socket
import stat

import pytest
from support import TOY, solution, wait_until

pytestmark = pytest.mark.slow
WRONG = "def scale(x, factor=2.0):\n    return x + factor\n"


def saved(study, text, name="scale.py", revision=None):
    revision = revision or study.data(f"/files/{name}")["revision"]
    return study.ask(f"/files/{name}", "PUT", {"text": text, "revision": revision})


def test_the_address_lets_a_browser_in_and_leaves_no_token_in_it(study):
    status, headers, _ = study.ask(f"/unit/1?token={study.token}", Cookie=None)
    assert (status, headers["location"]) == (303, "/unit/1")
    assert "HttpOnly" in headers["set-cookie"]
    assert "SameSite=strict" in headers["set-cookie"]


STRANGERS = {
    "without the token": {"Cookie": None},
    "with another token": {"Cookie": "grader-study-{port}=guessed"},
    "under another name": {"Host": "evil.example:{port}"},
    "by an address that leads here": {"Host": "127.0.0.1.nip.io:{port}"},
    "from another page": {"Origin": "http://evil.example"},
    "from another port": {"Origin": "http://127.0.0.1:1"},
    "from another name of this machine": {"Origin": "http://localhost:{port}"},
    "from a page without an origin": {"Origin": "null"},
    "from another site": {"Sec_Fetch_Site": "cross-site"},
    "from a neighbour": {"Sec_Fetch_Site": "same-site"},
}


@pytest.mark.parametrize("headers", STRANGERS.values(), ids=STRANGERS)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/files/scale.py"),
        ("GET", "/events"),
        ("PUT", "/files/scale.py"),
        ("GET", "/editor/index.js"),
    ],
)
def test_strangers_are_not_answered(study, method, path, headers):
    before = study.file("scale.py").read_bytes()
    told = {name: value and value.format(port=study.port) for name, value in headers.items()}
    body = {"text": "evil", "revision": "missing"} if method == "PUT" else None
    status, _, text = study.ask(path, method, body, **told)
    assert status in (403, 421)
    assert "scale" not in text
    assert study.file("scale.py").read_bytes() == before


def test_a_change_needs_an_origin(study):
    assert study.ask("/check", "POST", {"ids": []}, Origin=None)[0] == 403
    assert study.ask("/check", "POST", {"ids": []})[0] == 200


OUTSIDE = """
    /files/../course.yaml /files/%2e%2e%2fcourse.yaml /files/course.yaml /files/..%5ccourse.yaml /files//etc/passwd
    /files/pair.py%00 /editor/../../codemirror.py /editor/%2e%2e/codemirror.py /solution/../scale /verdict/nobody
    /lesson/../course /unit/1e9 /nowhere
"""


@pytest.mark.parametrize("path", OUTSIDE.split())
def test_nothing_but_the_courses_files_is_shown(study, path):
    status, _, text = study.ask(path)
    assert status in (404, 422) or json.loads(text) in ({}, {"html": "\n"})
    assert "title: A toy" not in text
    assert "root:" not in text


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"text": 1, "revision": "x"}',
        b'{"text": "x"}',
        b"\xff",
        b'{"text": "\\ud800", "revision": "x"}',
    ],
)
def test_a_save_that_no_page_of_ours_sends(study, body):
    before = study.file("scale.py").read_bytes()
    status, _, _ = study.ask("/files/scale.py", "PUT", body)
    assert status in (404, 409, 422)
    assert study.file("scale.py").read_bytes() == before


def test_a_request_that_does_not_end(study):
    assert study.ask("/check", "POST", b"x" * 5_000_000)[0] == 413
    with socket.create_connection(("127.0.0.1", int(study.port))) as raw:
        head = (
            f"POST /check HTTP/1.1\r\nHost: 127.0.0.1:{study.port}\r\nOrigin: {study.origin}\r\n"
            f"Cookie: grader-study-{study.port}={study.token}\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        raw.sendall(head.encode())
        assert b" 413 " in raw.recv(1000)


def test_it_listens_on_this_machine_only(study):
    with open("/proc/net/tcp", encoding="ascii") as file:
        lines = [line.split() for line in file]
    ours = [line[1] for line in lines if line[1].endswith(f":{int(study.port):04X}") and line[3] == "0A"]
    assert ours == [f"0100007F:{int(study.port):04X}"]


def test_every_answer_says_what_may_be_loaded(study):
    for path in ("/", "/unit/1", "/files/scale.py", "/editor/index.js"):
        _, headers, text = study.ask(path)
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        if path in ("/", "/unit/1"):
            assert "default-src &#39;none&#39;" in text
            assert "connect-src &#39;self&#39;" in text
            assert "unsafe-eval" not in text


def test_a_save_is_written_and_judged(study):
    revision = study.data("/files/scale.py")["revision"]
    status, _, text = saved(study, WRONG, revision=revision)
    assert (status, study.file("scale.py").read_text("utf-8")) == (200, WRONG)
    found = study.verdict("scale", lambda v: v["state"] == "failed")
    assert "What the checks saw" in found.html
    assert saved(study, solution("scale"), revision=json.loads(text)["revision"])[0] == 200
    found = study.verdict("scale", lambda v: v["state"] == "passed")
    assert (found.score, found.passed, found.lines) == ("4 / 4", True, [])
    assert "return" in study.data("/solution/scale")["html"]


def test_the_line_that_raises(study):
    saved(study, "def scale(x, factor=2.0):\n    y = x\n    return y.nothing\n")
    found = study.verdict("scale", lambda v: v["lines"])
    (line,) = found.lines
    assert line["line"] == 3
    assert "AttributeError" in line["said"]["en"]
    assert "AttributeError" in line["said"]["zh"]


def test_a_file_that_was_changed_meanwhile_is_not_overwritten(study):
    revision = study.data("/files/scale.py")["revision"]
    study.file("scale.py").write_text("# theirs\n", encoding="utf-8")
    status, _, text = saved(study, "# mine\n", revision=revision)
    found = json.loads(text)
    assert (status, found["text"], study.file("scale.py").read_text("utf-8")) == (409, "# theirs\n", "# theirs\n")
    assert "-# mine" in found["html"]
    assert "+# theirs" in found["html"]
    kept = study.data("/kept/scale.py", "POST", {"text": "# mine\n"})["kept"]
    assert (study.course / ".grader" / "backups" / kept).read_text("utf-8") == "# mine\n"
    assert saved(study, "# mine\n", revision=found["revision"])[0] == 200


def test_line_ends_and_rights_stay(study):
    path = study.file("scale.py")
    path.write_bytes(b"a = 1\r\nb = 2\r\n")
    path.chmod(0o640)
    saved(study, "a = 1\nb = 3\n")
    assert path.read_bytes() == b"a = 1\r\nb = 3\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_leads_to_the_same_file_afterwards(study, tmp_path):
    path, elsewhere = study.file("pair.py"), tmp_path / "pair.py"
    elsewhere.write_bytes(path.read_bytes())
    path.unlink()
    path.symlink_to(elsewhere)
    saved(study, "# in the other folder\n", "pair.py")
    assert path.is_symlink()
    assert elsewhere.read_text("utf-8") == "# in the other folder\n"


BAD = {
    "not UTF-8": (lambda path: path.write_bytes(b"x = '\xff'\n"), "is not UTF-8: byte 6"),
    "too large": (lambda path: path.write_bytes(b"#" * 10_000_000), "has 10,000,000 bytes"),
    "a pipe": (lambda path: [path.unlink(), *map(os.mkfifo, [path])], "cannot be read: not a regular file"),
    "without end": (lambda path: (path.unlink(), path.symlink_to("/dev/zero")), "cannot be read: not a regular file"),
    "a folder": (lambda path: (path.unlink(), path.mkdir()), "cannot be read: Is a directory"),
}


@pytest.mark.parametrize(("spoil", "said"), BAD.values(), ids=BAD)
def test_a_file_that_cannot_be_shown(start, spoil, said):
    study = start()
    spoil(study.file("scale.py"))
    status, _, text = study.ask("/files/scale.py")
    assert status == 422
    assert said in json.loads(text)["html"]
    assert study.ask("/files/scale.py", "PUT", {"text": WRONG, "revision": "missing"})[0] == 422
    assert study.ask("/unit/1")[0] == 200


def test_a_file_that_is_gone_comes_back_when_it_is_saved(study):
    study.file("scale.py").unlink()
    assert study.data("/files/scale.py") == {"text": "", "revision": "missing"}
    assert saved(study, WRONG)[0] == 200
    assert study.file("scale.py").read_text("utf-8") == WRONG


def test_no_more_is_saved_than_can_be_shown(study):
    before = study.data("/files/scale.py")
    assert saved(study, "#" * 1_000_001)[0] == 422
    assert study.data("/files/scale.py") == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(start):
    study = start()
    study.file("").chmod(0o500)
    status, _, text = saved(study, WRONG)
    assert status == 422
    assert "could not be saved" in json.loads(text)["html"]


def test_hints_come_one_at_a_time(study):
    first, second, third = (study.data("/hint/scale", "POST", {})["html"] for _ in range(3))
    assert "Look at the signature." in first
    assert "Multiply." not in first
    assert "Multiply." in second
    assert third == second


def test_the_solution_waits_for_a_pass(start):
    study = start()
    assert "return" not in study.data("/solution/scale")["html"]


def test_reset_keeps_the_work(study):
    stub = (TOY / "exercises" / "scale.py").read_text("utf-8")
    saved(study, stub)
    study.verdict("scale", lambda v: v["state"] == "unstarted")
    saved(study, WRONG)
    study.verdict("scale", lambda v: v["state"] == "failed")
    study.data("/reset/scale", "POST", {})
    assert wait_until(lambda: study.file("scale.py").read_text("utf-8") == stub, 60)
    kept = sorted((study.course / ".grader" / "backups").glob("scale.*.py"))
    assert kept[-1].read_text("utf-8") == WRONG


def test_a_lesson_in_both_languages(study):
    html = study.data("/lesson/basics")["html"]
    assert "缩放" in html
    assert "Scaling" in html
    assert "<math" in html


def test_a_lesson_that_cannot_be_built(start, tmp_path):
    study = start()
    (study.course / "lessons" / "basics.zh.md").unlink()
    status, _, text = study.ask("/lesson/basics")
    assert status == 500
    assert "basics.zh.md: missing" in json.loads(text)["html"]


def test_two_at_once_are_one(start):
    first = start()
    second = start(first.course, "--port", first.port)
    assert "is open already" in second.said
    assert second.address == first.address
    assert second.process.wait(30) == 0


def test_a_port_that_is_taken(start):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        study = start(None, "--port", port)
        assert f"port {port} cannot be used" in study.said
        assert study.process.wait(30) == 2


def test_after_a_restart_an_open_page_goes_on(start):
    first = start()
    token, port = first.token, first.port
    assert first.end() == 0
    again = start(first.course, "--port", port)
    assert (again.token, again.port) == (token, port)
    kept = first.course / ".grader" / "study.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_a_damaged_memory_of_the_last_start(start):
    first = start()
    first.end()
    (first.course / ".grader" / "study.json").write_text('{"port": "no"', encoding="utf-8")
    assert start(first.course, "--port", "0").ask("/")[0] == 200


def test_what_is_the_matter_with_what_comes_again_is_said(start):
    study = start()
    path = study.course / ".grader" / "review.json"
    path.write_text("{", encoding="utf-8")
    study.data("/review")
    assert "review.json is damaged" in study.ask("/")[2]


def test_a_stranger_reads_why_in_both_languages(study):
    status, _, text = study.ask("/", Cookie=None)
    assert status == 403
    assert "Open the address that `grader study` printed." in text
    assert "请打开 `grader study` 给出的地址" in text


@pytest.mark.parametrize("port", ["x", "70000", "-1"])
def test_a_port_that_is_none(start, port):
    study = start(None, f"--port={port}")
    assert study.process.wait(30) == 2
    assert f"a port is a number from 0 to 65535, not '{port}'" in study.said
