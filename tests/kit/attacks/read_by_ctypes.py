"""Opens files with open, openat, fopen and open_by_handle_at of the C library.

Stopped by: Landlock: nothing but the installation of Python and torch can be opened.
"""
# deserves 4

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.fopen.restype = ctypes.c_void_p
buffer = ctypes.create_string_buffer(4000)
for path in (b"@COURSE@/gradebook.csv", b"@COURSE@/solutions/scale.py"):
    for fd in (libc.open(path, 0), libc.openat(-100, path, 0), libc.syscall(2, path, 0), libc.syscall(257, -100, path, 0)):
        if fd >= 0 and libc.read(fd, buffer, 4000) > 0:
            print(buffer.value)
    if libc.fopen(path, b"r"):
        print("opened", path)
    handle = ctypes.create_string_buffer(200)
    libc.syscall(303, -100, path, handle, ctypes.byref(ctypes.c_int()), 0)
    if libc.syscall(304, -100, handle, 0) >= 0:
        print("opened by handle", path)


@HONEST@
