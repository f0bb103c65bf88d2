"""Opens devices, sockets of services and other people's homes, in every way that open() knows.

Stopped by: the worker's own root and Landlock: /dev/null and /dev/urandom are all there is.
"""
# deserves 4

import os

PLACES = ("/dev/mem", "/dev/kmsg", "/dev/tty", "/dev/zero", "/dev/fuse", "/dev/kvm", "/dev/pts/0", "/dev/shm", "/proc/self/mem",
          "/proc/1/environ", "/proc/sysrq-trigger", "/sys/kernel/uevent_helper", "/run", "/var/run/docker.sock", "/root",
          "/etc/shadow", "/etc/passwd", "/home")
WAYS = (os.O_RDONLY, os.O_WRONLY, os.O_RDWR, os.O_TMPFILE | os.O_RDWR, os.O_RDONLY | os.O_DIRECTORY)
for place in PLACES:
    for way in WAYS:
        try:
            print("CANARY" + "-opened", place, way, os.open(place, way))
        except OSError:
            pass


@HONEST@
