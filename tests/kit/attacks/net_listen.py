"""Binds and listens: TCP, UDP, unix, abstract, netlink, raw, packet and vsock sockets.

Stopped by: seccomp: no sockets; Landlock: no TCP, no abstract sockets; a net namespace where there is one.
"""
# deserves 4

import itertools
import socket

for family, kind in itertools.product((1, 2, 10, 16, 17, 38, 40), (1, 2, 3, 5)):
    try:
        sock = socket.socket(family, kind)
        sock.bind("\0attack" if family == 1 else ("", 0))
        sock.listen()
        print("CANARY" + "-listening", family, kind)
    except (OSError, TypeError, ValueError):
        pass


@HONEST@
