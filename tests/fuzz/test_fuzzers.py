"""The fuzzers of `make fuzz` work: their seeds, and some of them with a few bytes changed."""

import importlib
from random import Random

import pytest

TOPICS = {"models": 40, "configs": 60, "metrics": 60, "checkpoints": 6, "exports": 15}


@pytest.mark.parametrize("topic", TOPICS)
def test_inputs_are_refused_or_good(topic: str) -> None:
    fuzzer, random = importlib.import_module(f"fuzz.{topic}"), Random(1)
    seeds = fuzzer.seeds()
    for _ in range(TOPICS[topic]):
        data = bytearray(random.choice(seeds))
        for _ in range(random.randrange(4)):
            data[random.randrange(len(data))] = random.randrange(256)
        fuzzer.run(bytes(data))
