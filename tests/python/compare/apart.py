"""Runs a function in a process of its own with limits of time and memory: a library that exceeds them ends nothing else."""

from __future__ import annotations

import multiprocessing
import resource
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any


class TakesTooMuch(Exception):
    """The process was ended, or ended itself."""


def apart(function: Callable[[], Any], seconds: float, gib: int) -> Any:
    """Returns the result of the function.

    :raises TakesTooMuch: it takes more seconds, or more memory in addition to what is already used.
    """
    here, there = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_run, args=(function, there, gib))
    process.start()
    there.close()
    try:
        if not here.poll(seconds):
            raise TakesTooMuch(f"more than {seconds:g} s")
        result = here.recv()
    except EOFError:
        raise TakesTooMuch(f"more than {gib} GiB") from None
    finally:
        process.kill()
        process.join()
    if isinstance(result, MemoryError):
        raise TakesTooMuch(f"more than {gib} GiB")
    if isinstance(result, Exception):
        raise result
    return result


def _run(function: Callable[[], Any], there: Connection, gib: int) -> None:
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    limit = used + (gib << 30)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    try:
        result = function()
    except Exception as error:  # any exception of a library is reported
        result = error
    there.send(result)
