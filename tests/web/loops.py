"""Coroutines in a test: on a thread of their own, for the browser's loop runs on the main one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_alone(coroutine: Coroutine[Any, Any, T], seconds: float) -> T:
    """Run a coroutine to its end, and fail after so many seconds."""

    async def bounded() -> T:
        return await asyncio.wait_for(coroutine, seconds)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, bounded()).result()
