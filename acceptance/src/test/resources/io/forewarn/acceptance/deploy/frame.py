"""Sends one TCP SYN for 169.254.169.254:80 from eth0, with any source address, behind any VLAN tags."""
import socket
import struct
import sys

to, source, tags = bytes.fromhex(sys.argv[1].replace(":", "")), socket.inet_aton(sys.argv[2]), bytes.fromhex(sys.argv[3])
target = socket.inet_aton("169.254.169.254")


def checksum(data):
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return struct.pack("!H", ~total & 0xFFFF)


tcp = struct.pack("!HHIIBBHHH", 44444, 80, 1, 0, 5 << 4, 2, 1000, 0, 0)
tcp = tcp[:16] + checksum(source + target + struct.pack("!HH", 6, len(tcp)) + tcp) + tcp[18:]
ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(tcp), 1, 0, 64, 6, 0, source, target)
ip = ip[:10] + checksum(ip) + ip[12:]
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as raw:
    raw.bind(("eth0", 0))
    raw.send(to + raw.getsockname()[4] + tags + b"\x08\x00" + ip + tcp)
