"""The grading processes of a ``dask.distributed`` cluster, which somebody has started already.

Its traffic is pickle between machines that trust each other: loopback, or TLS with certificates from dask's own configuration
(``distributed.comm.tls``). What students wrote crosses it as text, and is opened in a grading process only.
"""

import ipaddress
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from urllib.parse import urlsplit

import msgspec
from distributed import Client, Security, wait

from lmkit.grading.gradebook import CannotWrite
from lmkit.grading.station import CannotGrade, Graded, Job, Material, Station

PATIENCE = 30  # seconds until a scheduler that does not answer is taken for gone
TRIES = 3  # of one submission, on workers that die

_IDLE: dict[str, deque[Station]] = {}  # on a worker: the grading processes that wait, by homework
_LOCK = threading.Lock()


def check_address(scheduler: str) -> str:
    """The address itself, if it is TLS, or plain TCP that does not leave the machine.

    Raises:
        ValueError: otherwise.
    """
    parts = urlsplit(scheduler)
    try:
        local = parts.hostname == "localhost" or ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        local = False
    if parts.scheme == "tls" or (parts.scheme == "tcp" and local):
        return scheduler
    raise ValueError(f"scheduler: got {scheduler!r}, expected tls://host:port, or tcp:// to this machine")


def certificates(scheduler: str) -> Security:
    """What dask's configuration says about encryption; for ``tls://`` it has to say it.

    Raises:
        CannotGrade: if it does not, or names files that cannot be used.
    """
    try:
        security = Security()
        found = security.get_connection_args("client")["ssl_context"]
    except OSError as error:
        raise CannotGrade(f"the certificates in dask's configuration cannot be used: {error}") from None
    if scheduler.startswith("tls:") and found is None:
        raise CannotGrade(
            f"{scheduler} needs certificates: set distributed.comm.tls.ca-file, .client.cert and .client.key in dask's "
            "configuration, or DASK_DISTRIBUTED__COMM__TLS__CA_FILE, …__CLIENT__CERT and …__CLIENT__KEY"
        )
    return security


def grade_here(material: str, job: str) -> str:
    """Runs on a dask worker: grades one submission in a process of its own, which is kept for the next one."""
    with _LOCK:
        idle = _IDLE.setdefault(material, deque())
        station = idle.pop() if idle else Station(msgspec.json.decode(material, type=Material))
    graded = station.grade(msgspec.json.decode(job, type=Job))
    with _LOCK:
        idle.append(station)
    return msgspec.json.encode(graded).decode()


def remote(material: Material, waiting: Iterator[Job], scheduler: str, say: Callable[[str], None]) -> Iterator[Graded]:
    """Grades on the cluster's workers; results come as they are ready, a few submissions are under way at a time.

    Raises:
        CannotGrade: if the cluster has no worker, or a worker cannot grade.
        CannotWrite: if the scheduler is gone; what came before is safe.
    """
    check_address(scheduler)
    for name in ("distributed", "distributed.client"):  # a traceback for what is said in a sentence below
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(scheduler, timeout=PATIENCE, set_as_default=False, security=certificates(scheduler))
    except (OSError, TimeoutError) as error:
        raise CannotGrade(f"no scheduler answers at {scheduler}: {error}") from None
    plain = msgspec.json.encode(material).decode()
    under_way: dict = {}
    tries: dict[str, int] = {}

    def submit(job: Job) -> None:
        text = msgspec.json.encode(job).decode()
        under_way[client.submit(grade_here, plain, text, pure=False, retries=TRIES)] = job

    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise CannotGrade(f"the scheduler at {scheduler} has no workers")
        more = True
        while more or under_way:
            while more and len(under_way) < 2 * threads:
                job = next(waiting, None)
                more = job is not None
                if more:
                    submit(job)
            if not under_way:
                break
            if client.status != "running":
                raise CannotWrite(f"the scheduler at {scheduler} is gone")
            try:
                with client.as_current():
                    done = wait(list(under_way), timeout=2, return_when="FIRST_COMPLETED").done
            except TimeoutError:
                continue
            for future in done:
                job = under_way.pop(future)
                if future.status == "finished":
                    yield msgspec.json.decode(future.result(PATIENCE), type=Graded)
                elif future.status == "cancelled" or tries.get(job.student, 0) >= TRIES:
                    raise CannotWrite(f"the cluster lost {job.student}: {future.status}")
                else:
                    error = future.exception(PATIENCE)
                    if isinstance(error, CannotGrade):
                        raise error
                    tries[job.student] = tries.get(job.student, 0) + 1
                    say(f"{job.student}: a worker of the cluster died; graded again")
                    submit(job)
    except (CannotGrade, CannotWrite):
        raise
    except Exception as error:  # dask has many words for a scheduler that is gone; its status tells most of them apart
        if client.status == "running" and not isinstance(error, OSError | CancelledError):
            raise
        raise CannotWrite(f"the scheduler at {scheduler} is gone ({type(error).__name__})") from None
    finally:
        with suppress(OSError):  # that nothing answers is known by now
            client.close(timeout=2)
