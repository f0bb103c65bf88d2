"""The code that runs beside a student's in the confined process: values to bytes and back, calls, observations.

In: requests. Out: replies, each no more than the student's claim.
"""

from grader.sandbox.processes import BadValue
from grader.sandbox.worker import callbacks, wire, worker
from grader.sandbox.worker.calls import DIRECTION_SEED, LEFT, MAX_NAMES, directions, made_of, performing
from grader.sandbox.worker.forbidden import withheld
from grader.sandbox.worker.recording import MOST_RECORDS, UNFILLED
from grader.sandbox.worker.refusals import REFUSED, beyond, forbids
from grader.sandbox.worker.source import LINE_CAP, MESSAGE_CAP, load
