"""Starts the grader's processes and lets them talk: fork server, worker pool, portable starter, frames over sockets.

In: a program to start, and messages for it. Out: sockets to confined workers, and their answers.
"""

import msgspec

from grader.sandbox.processes import portable
from grader.sandbox.processes.channel import (
    NO_NONCE,
    OWN_CAP,
    BrokenFrame,
    Channel,
    ChannelError,
    DeadlinePassed,
    Frame,
    Packed,
    TooLarge,
    each_frame,
    parsed,
)  # fmt: skip
from grader.sandbox.processes.fork_messages import GradingStarted, StartGrading, entry_point, receive, send
from grader.sandbox.processes.grading_messages import (
    AsWritten,
    DescribedQuestion,
    Done,
    ExampleCall,
    Fields,
    OfferedCheck,
    Open,
    Opened,
    Part,
    Run,
    RunFailed,
    RunOptions,
    SavedCall,
    ShownStep,
    ShownSteps,
    ShownValue,
    ShowSteps,
    Texts,
)  # fmt: skip
from grader.sandbox.processes.one_worker import OneWorkerPool
from grader.sandbox.processes.portable import SpawnedWorkerPool
from grader.sandbox.processes.processor_time import Times, own_wait
from grader.sandbox.processes.shared_memory import ALIGNED, ROOM, SharedMemory
from grader.sandbox.processes.values import (
    ArrayForm,
    BadValue,
    DictForm,
    FunctionForm,
    GeneratorForm,
    ListForm,
    Message,
    OpaqueForm,
    TensorForm,
    Value,
    arrays_in,
    tensor_devices,
)  # fmt: skip
from grader.sandbox.processes.worker_messages import (
    Called,
    CallFunction,
    CallPrepared,
    Edit,
    Edits,
    Evaluate,
    Evaluated,
    FindEdits,
    Inspect,
    Inspected,
    Load,
    Loaded,
    MakeForm,
    PreparedCall,
    Raised,
    ReadSheet,
    Ready,
    Record,
    Reply,
    Request,
    Returned,
    SheetRead,
)  # fmt: skip
from grader.sandbox.processes.worker_pool import ForkedWorkerPool, Worker, WorkerEnded, WorkerPool

# msgspec learns a type when it first decodes one, and two threads that do so at once crash: all are learnt here.
for _kind in Message.__subclasses__():
    msgspec.msgpack.Decoder(_kind)
