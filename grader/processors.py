"""How much is done at once."""

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any, TypeVar

from grader.errors import Mistake

_MOST = 1024  # more are a slip
Found = TypeVar("Found")


def processors() -> int:
    """How many processes or threads work: GRADER_WORKERS, or one for each processor there is.

    Nothing that is found hangs on it. Mistake, if the variable says no number.
    """
    text = os.environ.get("GRADER_WORKERS", "")
    if text not in ("", "0"):
        if not re.fullmatch("[0-9]{1,4}", text) or not 0 < int(text) <= _MOST:
            raise Mistake(f"GRADER_WORKERS is {text[:40]!r}: a number from 1 to {_MOST} is meant")
        return int(text)
    if hasattr(os, "sched_getaffinity"):  # macOS has none
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def meanwhile(find: Callable[[], Found], *, worth: bool) -> Iterator[Callable[[], Found]]:
    """Yield what gives what is found, which on Linux another process looks for until it is asked.

    It is forked, and has what there is; who does not ask breaks it off.

    worth  whether there is so much to be found that it is worth it

    raises  what it raised, when asked; Mistake, if it was killed
    """
    if not worth or processors() == 1 or sys.platform != "linux":
        yield find
        return
    context = get_context("fork")
    receive, send = context.Pipe(duplex=False)
    process = context.Process(target=_begin, args=((_answer, (find, send)),))
    process.start()
    send.close()
    try:
        with receive:
            yield partial(_answered, receive)
    finally:
        process.kill()
        process.join()


def _answer(find: Callable[[], object], send: Connection) -> None:
    try:
        send.send((find(), None))
    except Exception as e:  # noqa: BLE001, who asks is told
        send.send((None, e))


def _answered(receive: Connection) -> Any:  # noqa: ANN401, what is found
    try:
        found, error = receive.recv()
    except EOFError as e:
        raise _killed() from e
    if error is not None:
        raise error
    return found


@contextmanager
def crew(
    many: int, how: str, ready: Callable[..., object], *given: object
) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of ``many`` processes, of which none outlives this one, whatever ends it.

    how    "fork": they have what there is; "spawn": they share nothing, and are told
    ready  what each does first, with what is ``given``

    raises  Mistake, if one of them was killed
    """
    pool = ProcessPoolExecutor(many, get_context(how), _begin, ((ready, given),))
    try:
        yield pool
    except BrokenProcessPool as e:
        raise _killed() from e
    finally:
        pool.shutdown(cancel_futures=True)


def _killed() -> Mistake:
    return Mistake(
        "a process that helped was killed: there may be too little memory for as many",
        mend="GRADER_WORKERS=1, and the same command again",
    )


def _begin(first: tuple[Callable[..., object], tuple[object, ...]]) -> None:
    """A process is stopped by its parent, or with it: a fork would keep its locks for ever."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    ready, given = first
    ready(*given)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
