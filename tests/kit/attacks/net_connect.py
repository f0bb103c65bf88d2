"""Connects to the loopback interface and to the world.

Stopped by: seccomp: no sockets; Landlock: no TCP, no abstract sockets; a net namespace where there is one.
"""
# deserves 4

import socket
import urllib.request

for way in (
    lambda: socket.create_connection(("127.0.0.1", @PORT@), 1).send(b"CANARY" + b"-sent"),
    lambda: socket.create_connection(("::1", @PORT@), 1).send(b"x"),
    lambda: urllib.request.urlopen("http://127.0.0.1:@PORT@/", timeout=1),
    lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", @PORT@)),
    lambda: socket.create_connection(("93.184.215.14", 80), 0.2),
):
    try:
        way()
        print("CANARY" + "-sent")
    except OSError:
        pass


@HONEST@
