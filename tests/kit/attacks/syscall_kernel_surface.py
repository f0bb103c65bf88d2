"""Tries the system calls that sandboxes are left through: ptrace, bpf, io_uring, keyctl, userfaultfd, ...

Stopped by: seccomp: an allow list; all others answer EPERM.
"""
# deserves 4

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
CALLS = {
    "ptrace": 101, "bpf": 321, "io_uring_setup": 425, "keyctl": 250, "add_key": 248, "userfaultfd": 323,
    "perf_event_open": 298, "memfd_create": 319, "unshare": 272, "setns": 308, "mount": 165, "umount2": 166,
    "pivot_root": 155, "chroot": 161, "fsopen": 430, "open_tree": 428, "move_mount": 429, "kexec_load": 246,
    "init_module": 175, "finit_module": 313, "delete_module": 176, "reboot": 169, "swapon": 167, "syslog": 103,
    "process_vm_readv": 310, "process_vm_writev": 311, "pidfd_open": 434, "pidfd_getfd": 438, "quotactl": 179,
    "acct": 163, "settimeofday": 164, "clock_settime": 227, "sethostname": 170, "iopl": 172, "ioperm": 173,
    "personality": 135, "execve": 59, "execveat": 322, "fork": 57, "vfork": 58, "setuid": 105, "setgid": 106,
    "capset": 126, "seccomp": 317, "landlock_create_ruleset": 444, "shmget": 29, "msgget": 68, "semget": 64,
    "mq_open": 240, "inotify_init": 253, "fanotify_init": 300, "timer_create": 222, "eventfd2": 290, "splice": 275,
    "vmsplice": 278, "tee": 276, "name_to_handle_at": 303, "open_by_handle_at": 304, "socketpair": 53, "socket": 41,
}
worked = []
if os.uname().machine == "x86_64":
    for name, number in CALLS.items():
        if libc.syscall(number, 0, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() != 1:
            worked.append(name)
print("CANARY" + "-" + ",".join(worked) if worked else "all refused")


@HONEST@
