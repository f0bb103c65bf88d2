#!/bin/sh
# Makes .venv and puts PyTorch and the grader into it. A stumble is one sentence, and the next run repairs what is half made.
# PYTHON=python3.12 ./install.sh takes another Python.
set -u
cd "$(dirname "$0")" || exit 1
venv=.venv
bin=$venv/bin

stop() {
  echo "setup: $*" >&2
  exit 1
}
version() { "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null; }
new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; }
whole() { new_enough $bin/python && $bin/python -m pip --version >/dev/null 2>&1; }

if [ -n "${PYTHON:-}" ]; then
  found=$(version "$PYTHON") || stop "$PYTHON cannot be run; name a Python 3.10 or newer: make setup PYTHON=python3.12"
  new_enough "$PYTHON" || stop "$PYTHON is Python $found, and this needs 3.10 or newer: make setup PYTHON=python3.12"
else
  for name in python3 python3.14 python3.13 python3.12 python3.11 python3.10 python; do
    if new_enough "$name"; then PYTHON=$name && break; fi
  done
  [ -n "${PYTHON:-}" ] || stop "this needs Python 3.10 or newer, and found $(version python3 || echo none); get it from python.org or your system, then run this again"
fi

if [ -e $venv ] && { ! whole || [ "$(version $bin/python)" != "$(version "$PYTHON")" ]; }; then
  echo "setup: $venv is half made or of another Python; making it again"
  rm -rf $venv
fi
if [ ! -e $venv ]; then
  "$PYTHON" -m venv $venv >/dev/null 2>&1 && whole || {
    rm -rf $venv
    stop "$PYTHON cannot make virtual environments here; on Debian and Ubuntu: sudo apt install python3-venv; is the disk full?"
  }
fi

install() { $bin/python -m pip install --disable-pip-version-check --constraint constraints.txt "$@"; }
echo "setup: installing PyTorch and the grader into $venv (a few hundred MB the first time, which takes minutes)"
if [ -t 1 ]; then install --editable '.[torch,study]'; else install --quiet --editable '.[torch,study]'; fi ||
  stop "the packages could not be installed, see above; without a network nothing can be downloaded. Run this again: it goes on where it stopped"
