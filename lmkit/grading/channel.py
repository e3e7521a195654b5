"""Messages over a socket: four bytes of length, then MessagePack; open files may travel beside them.

The length is checked before anything is read, so that a message can cost the receiver no more than its limit.
"""

import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from lmkit.grading.arrays import TooLong
from lmkit.grading.codec import decode, encode

LARGEST_ANSWER = 8_000_000  # bytes of one message from a student's process
LARGEST_REQUEST = 256_000_000  # bytes of one message from the grader
_LENGTH = struct.Struct("<I")


class Closed(Exception):
    """The other end is gone, or what it sends is no message."""


def pack_message(message: Any) -> bytes:
    """The bytes of a message, length in front."""
    data = encode(message)
    return _LENGTH.pack(len(data)) + data


class Late(Closed):
    """Nothing more came before the deadline."""


class Channel:
    """One end of a conversation. With a ``deadline`` (of ``time.monotonic``) nothing waits longer.

    Args:
        end: a connected stream socket.
        longest: the most bytes that a message from the other end may have.
    """

    def __init__(self, end: socket.socket, longest: int) -> None:
        self.socket, self.longest = end, longest
        self.deadline: float | None = None
        self.waiting = b""  # read from the socket, and part of no message yet

    def send(self, message: Any, files: tuple[int, ...] = ()) -> None:
        """Sends one message, with open files if there are any."""
        data = pack_message(message)
        try:
            if self.deadline is not None:  # the other end may have stopped reading
                self.socket.settimeout(max(self.deadline - time.monotonic(), 0.001))
            if files:
                sent = socket.send_fds(self.socket, [data[:4]], list(files))
                data = data[sent:]
            self.socket.sendall(data)
        except OSError as error:
            raise Closed(f"cannot send: {error}") from None

    def receive(self) -> Any:
        """The next message.

        Raises:
            Closed: if the other end is gone, or announces more than it may send.
            NotData: if it is no MessagePack.
        """
        data = self.waiting
        while len(data) < 4 or len(data) < 4 + _LENGTH.unpack_from(data)[0]:
            if len(data) >= 4 and _LENGTH.unpack_from(data)[0] > self.longest:
                raise TooLong(f"a message of {_LENGTH.unpack_from(data)[0]} bytes, more than {self.longest}")
            if len(data) > 65536:
                data = self._rest(bytearray(data))
                break
            data += self._read(65536)
        end = 4 + _LENGTH.unpack_from(data)[0]
        self.waiting = bytes(data[end:])
        return decode(data[4:end])

    def _rest(self, data: bytearray) -> bytearray:
        end = 4 + _LENGTH.unpack_from(data)[0]
        while len(data) < end:
            data += self._read(min(end - len(data), 1 << 20))
        return data

    def _read(self, most: int) -> bytes:
        try:
            if self.deadline is not None:
                self.socket.settimeout(max(self.deadline - time.monotonic(), 0.001))
            part = self.socket.recv(most)
        except TimeoutError:
            raise Late("it takes too long") from None
        except OSError as error:
            raise Closed(f"cannot read: {error}") from None
        if not part:
            raise Closed("the other end is gone")
        return part

    def receive_with_files(self, most: int = 4) -> tuple[Any, list[int]]:
        """The next message, and the files that came with it."""
        try:
            self.socket.settimeout(None)
            head, files, _, _ = socket.recv_fds(self.socket, 4, most)
        except OSError as error:
            raise Closed(f"cannot read: {error}") from None
        if not head:
            raise Closed("the other end is gone")
        while len(head) < 4:
            head += self._read(4 - len(head))
        if (size := _LENGTH.unpack(head)[0]) > self.longest:
            raise TooLong(f"a message of {size} bytes, more than {self.longest}")
        return decode(self._rest(bytearray(head))[4:]), files  # no further: files come with the next one's first bytes

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """What is sent and received here has so many seconds, all together; the other end may be a student's."""
        self.deadline = time.monotonic() + seconds
        try:
            yield
        finally:
            self.deadline = None
            with suppress(OSError):  # it is closed
                self.socket.settimeout(None)

    def close(self) -> None:
        """Closes this end."""
        self.socket.close()
