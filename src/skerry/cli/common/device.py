"""Where nets learn, and play in bulk: on a GPU, or on the cores of this machine."""

from typing import Annotated

from skerry.cli.common.parameters import number_option, text_option
from skerry.core.errors import OptionsError
from skerry.core.extras import needs

DEVICES = ("cpu", "cuda")

Device = Annotated[
    str | None, text_option("--device", "NAME", "cpu or cuda; by default a GPU if there is one.")
]
Batch = Annotated[
    int | None,
    number_option("--batch", "Games at a time; 8192 on a GPU, 128 on a CPU.", 2, 2**20),
]


def choose_device(name: str | None) -> str:
    """A device that is there; OptionsError says what is missing."""
    with needs("train", "training"):
        import torch
    # Walking trees needs cores too, and threads that wait for each other are slower than one.
    torch.set_num_threads(max(1, torch.get_num_threads() // 2))
    if name is None:
        return "cuda" if torch.cuda.is_available() else "cpu"
    if name not in DEVICES:
        raise OptionsError(f"--device must be {' or '.join(DEVICES)}, not {name}")
    if name == "cuda" and not torch.cuda.is_available():
        raise OptionsError("--device cuda needs an NVIDIA GPU and a torch that was built for it")
    return name
