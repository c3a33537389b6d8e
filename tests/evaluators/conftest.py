from collections.abc import Iterator

import pytest
import torch
from athenan.networks import Network
from evaluators.samples import ARCHITECTURES, make_network


@pytest.fixture(autouse=True)
def _single_threaded_torch() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(params=ARCHITECTURES.values(), ids=list(ARCHITECTURES))
def network(request: pytest.FixtureRequest) -> Network:
    return make_network(request.param)
