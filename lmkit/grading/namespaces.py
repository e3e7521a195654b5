"""A student's own corner of the sandbox: fresh namespaces, files and limits for a forked process. Linux only.

Runs inside bubblewrap, in the warm process, before a line of the student's is known. What bubblewrap gave the warm process
(no network, few files, no way to the outside) holds for everything that it forks; this adds what keeps one student's
process from the next one's: process ids, shared memory, a disk of its own that disappears, a loopback of its own, devices
whose times it cannot set (they are the machine's, and stay), and no rights at all. What the kernel counts and keeps for
everybody can still be seen: its load, the numbers of inodes, how often somebody connected to a port of the loopback (the
next connection's own port says so), which files were read (a page that is in memory costs no major fault). So who hands in
one notebook twice may learn from the second one what the first one was tested with: of this notebook, and of no other.
"""

import ctypes
import errno
import fcntl
import os
import resource
import signal
import socket
import struct
from collections.abc import Callable

NEWNS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x00020000, 0x08000000, 0x10000000, 0x20000000, 0x40000000
NOBODY = 65534
DISK = "/w"  # the working directory
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")  # in /dev, as bubblewrap makes it
# Calls of the kernel that lead around the limits: memory that no process is charged with (memfd_create, memfd_secret,
# shmget, msgget, semget), keys that the next submission finds (add_key, request_key, keyctl), other cores
# (sched_setaffinity), other processes (ptrace, process_vm_readv, process_vm_writev, kcmp), new walls (unshare, setns,
# mount), what the page cache holds (mincore, cachestat, preadv2 with a flag, and io_setup, whose io_submit has that flag, too),
# and corners where the kernel has had holes (io_uring_setup, userfaultfd, perf_event_open, bpf).
# By machine: its number, theirs, and those of mmap, getsockopt, preadv2 and socket.
# fmt: off
DENIED = {
    "x86_64": (
        0xC000003E,
        (319, 447, 29, 68, 64, 248, 249, 250, 203, 101, 310, 311, 312, 272, 308, 165, 27, 451, 206, 425, 323, 298, 321),
        9, 55, 327, 41,
    ),
    "aarch64": (
        0xC00000B7,
        (279, 447, 194, 186, 190, 217, 218, 219, 122, 117, 270, 271, 272, 97, 268, 40, 232, 451, 0, 425, 282, 241, 280),
        222, 209, 286, 198,
    ),
}
# fmt: on

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def _mount(kind: str, where: str, options: str, flags: int = 2 | 4) -> None:  # without set-uid programs and devices
    _check(_libc.mount(b"none", where.encode(), kind.encode(), flags, options.encode()), f"mount {where}")


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def enter(outside: int, disk: int) -> Callable[[], None]:
    """Puts this process into namespaces of its own; returns what its child must call to give up all rights.

    The next fork is process 1 of the new process namespace: when it ends, everything that it started ends.

    Args:
        outside: the user id that the host knows the student's process by; 0 for the caller's own.
        disk: bytes of the working directory.

    Raises:
        OSError: if the kernel does not allow it.
    """
    user = os.geteuid()
    if outside and user == 0:
        _enter_as_another_user(outside)
    else:
        group = os.getegid()
        _check(_libc.unshare(NEWUSER), "unshare user")
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{NOBODY} {user} 1")
        _write("/proc/self/gid_map", f"{NOBODY} {group} 1")
    _check(_libc.unshare(NEWNS | NEWPID | NEWIPC | NEWNET), "unshare")
    with socket.socket() as any_one:  # as in bubblewrap's: SIOCSIFFLAGS, IFF_UP
        fcntl.ioctl(any_one, 0x8914, struct.pack("16sH22x", b"lo", 1))
    _check(_libc.mount(b"none", b"/", None, 0x4000 | 0x40000, None), "make mounts private")
    try:
        _write("/proc/sys/user/max_user_namespaces", "0")  # of this namespace: no further ones below it
    except OSError:
        pass  # read-only there
    for name in DEVICES:  # read-only (1): no times; what is written goes to the device all the same
        _check(
            _libc.mount(None, f"/dev/{name}".encode(), None, 1 | 2 | 8 | 0x20 | 0x1000, None), f"remount /dev/{name}"
        )
    _mount("devpts", "/dev/pts", "newinstance,ptmxmode=0666", 2 | 8)  # writing to a terminal sets the time of its ptmx
    _mount("tmpfs", DISK, f"size={disk},mode=0700,nr_inodes=10000")
    _mount("tmpfs", "/dev/shm", f"size={disk},mode=0700,nr_inodes=1000")
    _mount("tmpfs", "/tmp", f"size={disk},mode=0700,nr_inodes=10000")
    _mount("tmpfs", "/proc", "size=4096,mode=0555")
    os.chdir(DISK)
    return _drop_rights


def _enter_as_another_user(outside: int) -> None:
    """For root: a helper outside the new namespace maps it to an ordinary user, for whom process limits count."""
    ready, mapped = os.pipe(), os.pipe()
    me = os.getpid()
    helper = os.fork()
    if helper == 0:
        os.read(ready[0], 1)
        try:
            _write(f"/proc/{me}/setgroups", "deny")
            _write(f"/proc/{me}/uid_map", f"{NOBODY} {outside} 1")
            _write(f"/proc/{me}/gid_map", f"{NOBODY} {outside} 1")
            os.write(mapped[1], b"1")
        finally:
            os._exit(0)
    _check(_libc.unshare(NEWUSER), "unshare user")
    os.write(ready[1], b"1")
    os.close(mapped[1])
    done = os.read(mapped[0], 1)
    for end in (*ready, mapped[0]):
        os.close(end)
    os.waitpid(helper, 0)
    if done != b"1":
        raise OSError("the kernel does not let root map another user")
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def _drop_rights() -> None:
    """No capabilities, now or ever again; dies with its parent."""
    for capability in range(64):
        _libc.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP; fails above the last one
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    _check(_libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")
    _check(_libc.prctl(38, 1, 0, 0, 0), "no new privileges")
    _check(_libc.prctl(1, signal.SIGKILL, 0, 0, 0), "die with the parent")
    _deny(*DENIED.get(os.uname().machine, (0, (), 0, 0, 0, 0)))


def _deny(machine: int, calls: tuple[int, ...], mmap: int, getsockopt: int, preadv2: int, opening: int) -> None:
    """These calls of the kernel fail from now on, as do all of another machine's. A kernel without filters has none.

    So does a shared mapping without a file (both bits of 0x21 in its flags): its pages stay when no process has them any more.
    So do a socket's SO_COOKIE and SO_NETNS_COOKIE (57 and 71 of level 1), which are drawn from one counter for everybody.
    So do sockets but those of families 1, 2 and 10 (unix, internet), and 16 (netlink) with protocol 0: others know no network
    namespaces and lead to the host of a virtual machine (40, vsock), or tell the cookies (16 with protocol 4).
    """
    load, equal, at_least, bits, end = 0x20, 0x15, 0x35, 0x54, 0x06  # of two jumps the first is taken if it is so
    allow, deny = (end, 0, 0, 0x7FFF0000), (end, 0, 0, 0x00050000 | errno.EPERM)
    arguments = [(load, 0, 0, 16 + 8 * i) for i in range(6)]
    steps = [(load, 0, 0, 4), (equal, 1, 0, machine), deny, (load, 0, 0, 0), (at_least, 0, 1, 1 << 30), deny]
    for call in calls:
        steps += [(equal, 0, 1, call), deny]
    for call, *rule in (
        (mmap, arguments[3], (bits, 0, 0, 0x21), (equal, 0, 1, 0x21), deny),
        (getsockopt, arguments[1], (equal, 0, 4, 1), arguments[2], (equal, 1, 0, 57), (equal, 0, 1, 71), deny),
        (preadv2, arguments[5], (equal, 1, 0, 0), deny),
        (
            opening,  # of a socket
            *(arguments[0], (equal, 6, 0, 1), (equal, 5, 0, 2), (equal, 4, 0, 10), (equal, 0, 2, 16)),
            *(arguments[2], (equal, 1, 0, 0), deny),
        ),
    ):
        steps += [(equal, 0, len(rule) + 1, call), *rule, allow]
    steps += [allow]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("HP", len(steps), ctypes.addressof(code)))
    if calls:
        _libc.prctl(22, 2, program, 0, 0)  # PR_SET_SECCOMP, a filter


def become_ordinary(outside: int) -> None:
    """Gives up all rights without namespaces of its own, in a sandbox that only this submission uses.

    Here the times of devices such as /dev/null, which are the machine's, can still be set.
    """
    if outside and os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(outside, outside, outside)
        os.setresuid(outside, outside, outside)
    _drop_rights()


def limit(memory: int, processes: int, file_size: int) -> None:
    """Limits that fork inherits; 0 leaves a limit as it is."""
    for which, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_NPROC, processes),
        (resource.RLIMIT_FSIZE, file_size),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_CORE, 0),
    ):
        if most or which == resource.RLIMIT_CORE:
            try:
                resource.setrlimit(which, (most, most))
            except (ValueError, OSError):  # macOS knows no limit of address space, and a lower one is set already
                pass
