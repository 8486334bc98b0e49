"""How quick nets are in onnxruntime, in floats and in 8-bit integers, and what they still say then.

    pip install 'skerry[train]' onnx onnxruntime onnxscript
    python bench/quantised.py skirt

Weights are rounded channel by channel, and activations by what positions of games have come to
(static quantisation), which is the quickest that onnxruntime has on a CPU.
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from distilled import Looker, Positions, gather
from looks import best_time
from onnxruntime.quantization import CalibrationDataReader, QuantType, quant_pre_process
from onnxruntime.quantization import quantize_static as quantise
from torch import Tensor, nn

import skerry
from skerry.core.game import Game
from skerry.nets import forward
from skerry.nets.shipped import shipped_net
from skerry.train.net import SightModule, load_net

AT_ONCE = forward.AT_ONCE
CALIBRATION = 512  # positions
TEST = 4096

Inputs = dict[str, Any]


class Asked(nn.Module):
    """A net as it is exported, for one board."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.net, self.sight = load_net(shipped_net(game)), SightModule(game)

    def forward(self, planes: Tensor, facts: Tensor) -> tuple[Tensor, Tensor]:
        said = self.net(self.sight.mask, self.sight.places, planes, facts)
        return said.policy, said.outlook.softmax(1)


def list_inputs(asked: Asked, known: Positions) -> Iterator[Inputs]:
    """What the net is shown, some positions at a time."""
    whole = len(known.codes) // AT_ONCE * AT_ONCE
    for first in range(0, whole, AT_ONCE):
        part = (torch.from_numpy(each[first : first + AT_ONCE]) for each in known[:3])
        planes, facts = asked.sight.look(*part)
        yield {"planes": planes.contiguous().numpy(), "facts": facts.numpy()}


class Calibration(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, inputs: Iterator[Inputs]) -> None:
        self.inputs = inputs

    def get_next(self) -> Inputs | None:
        return next(self.inputs, None)


def open_session(path: Path) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def list_outer(path: Path) -> list[str]:
    """The names of all but the convolutions of blocks, which have as many channels in as out."""
    graph = onnx.load(path).graph
    square = {each.name for each in graph.initializer if each.dims[:1] == each.dims[1:2]}
    inner = [node for node in graph.node if node.op_type == "Conv" and node.input[1] in square]
    return [node.name for node in graph.node if node not in inner]


def report(name: str, session: Any, shown: list[Inputs], known: Positions) -> None:
    """How many positions it looks at, and how far it is from what the net says."""
    speed = AT_ONCE / best_time(lambda: session.run(None, shown[0]))
    said = [session.run(None, inputs) for inputs in shown]
    logits, outlook = (np.concatenate(part) for part in zip(*said, strict=True))
    count = len(logits)
    legal, wanted = known.legal[:count], known.policy[:count].astype(np.float64)
    logits = np.where(legal, logits, -np.inf).astype(np.float64)
    policy = np.exp(logits - logits.max(1, keepdims=True))
    policy /= policy.sum(1, keepdims=True)
    apart = [_diverge(wanted, policy), _diverge(known.outlook[:count], outlook)]
    same = np.mean(policy.argmax(1) == wanted.argmax(1))
    print(
        f"onnxruntime, {name}: {speed:,.0f} positions/s on one core; policy {apart[0]:.4f} and "
        f"outlook {apart[1]:.4f} nats from the net's; the same first move in {same:.1%}"
    )


def _diverge(wanted: Any, found: Any) -> float:
    least = 1e-9
    parts = wanted * (np.log(np.maximum(wanted, least)) - np.log(np.maximum(found, least)))
    return float(parts.sum(1).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    game = skerry.make(parser.parse_args().game)
    known, asked = gather(game, CALIBRATION + TEST), Asked(game).eval()
    tried = Positions(*(each[:CALIBRATION] for each in known))
    test = Positions(*(each[CALIBRATION:] for each in known))
    looker, none = Looker(game), np.zeros(AT_ONCE, np.int64)
    part = tuple(each[:AT_ONCE].copy() for each in test[:3])
    logits = np.zeros((AT_ONCE, game.num_actions), np.float32)
    outlooks = np.zeros((AT_ONCE, game.num_seats + 1), np.float32)
    setting = (looker.weights, looker.ground, looker.desks[0])
    ours = best_time(lambda: forward.evaluate(*setting, *part, none, logits, outlooks))
    print(f"skerry, floats: {AT_ONCE / ours:,.0f} positions/s on one core, {AT_ONCE} at a time")
    shown = list(list_inputs(asked, test))
    with tempfile.TemporaryDirectory() as folder:
        whole, ready, small = (Path(folder) / f"{name}.onnx" for name in ("net", "ready", "small"))
        example = tuple(torch.from_numpy(value) for value in shown[0].values())
        torch.onnx.export(
            asked, example, whole, input_names=["planes", "facts"], dynamo=True, verbose=False
        )
        report("floats", open_session(whole), shown, test)
        quant_pre_process(whole, ready)
        for name, kept in (("8 bits", []), ("8 bits inside blocks", list_outer(ready))):
            quantise(
                ready,
                small,
                Calibration(list_inputs(asked, tried)),
                per_channel=True,
                weight_type=QuantType.QInt8,
                activation_type=QuantType.QUInt8,
                nodes_to_exclude=kept,
            )
            report(name, open_session(small), shown, test)


if __name__ == "__main__":
    main()
