"""The exit statuses of `chapterhouse`: each number means one thing, in every command (docs/exit-status.md)."""

from enum import IntEnum


class Status(IntEnum):
    """How a command ended."""

    ANSWERED = 0
    LIMIT_BROKEN = 1  # `check` and `prove` alone
    BAD_INPUT = 2
    UNDECIDED = 3  # `check` alone
    OUTPUT_FAILED = 4
    OUR_FAULT = 70  # EX_SOFTWARE in BSD's sysexits.h
    INTERRUPTED = 130  # what shells make of SIGINT: 128 + 2
    TERMINATED = 143  # and of SIGTERM: 128 + 15
