"""Learning: the net is led towards what searches and the ends of games have shown."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from skerry.core.game import Game
from skerry.nets.images import list_images
from skerry.nets.shape import count_flags
from skerry.train.net import NetModule, Said, SightModule
from skerry.train.replay import Lesson
from skerry.train.tree import UNTOLD

FINALS_WEIGHT = 0.15  # of what will stand where at the end, beside policy and outlook
STRANGERS_WEIGHT = 0.25  # of what strangers do
FLOOR = -1e4  # the logit of what is illegal
TOLD = "told.weight"  # of the net: what facts mean


class Turner:
    """Turns positions by the symmetries of their board, so that each is met from all sides."""

    def __init__(self, game: Game, device: str) -> None:
        images = list_images(game)
        sources = images.actions.argsort(1)  # from which action each action's chance comes
        self.cells, self.codes, self.actions = (
            torch.from_numpy(part).to(device) for part in (images.cells, images.codes, sources)
        )

    def turn(self, lesson: Lesson, generator: torch.Generator) -> Lesson:
        count, device = len(lesson.seats), lesson.seats.device
        way = torch.randint(len(self.cells), (count,), generator=generator, device=device)
        return lesson._replace(
            codes=self._turn_cells(lesson.codes, way),
            finals=self._turn_cells(lesson.finals, way),
            targets=torch.gather(lesson.targets, 1, self.actions[way]),
        )

    def _turn_cells(self, codes: Tensor, way: Tensor) -> Tensor:
        moved = torch.gather(codes.long(), 1, self.cells[way])
        return torch.gather(self.codes[way], 1, moved)


@dataclass
class Losses:
    """What a lesson showed: how far off the net was."""

    policy: Tensor
    outlook: Tensor
    finals: Tensor
    strangers: Tensor | None = None  # the policy where they move; None where nobody is told of them

    @property
    def total(self) -> Tensor:
        total = self.policy + self.outlook + FINALS_WEIGHT * self.finals
        return total if self.strangers is None else total + STRANGERS_WEIGHT * self.strangers

    def write(self) -> dict[str, float]:
        told = {"policy": self.policy, "outlook": self.outlook, "finals": self.finals}
        if self.strangers is not None:
            told["strangers"] = self.strangers
        return {name: loss.item() for name, loss in told.items()}


def judge(speak: Callable[..., Said], sight: SightModule, lesson: Lesson) -> Losses:
    """How far a net is off."""
    with torch.autocast("cuda", torch.bfloat16, enabled=lesson.codes.is_cuda):
        said = sight.ask(speak, *lesson[:4], finals=True)
    legal = lesson.targets >= 0
    wanted = lesson.targets.clamp(min=0)
    chances = functional.log_softmax(said.policy.float().masked_fill(~legal, FLOOR), 1)
    # The entropy of the target is no fault of the net's. Where a guest moved that nobody knew there
    # is no target.
    missed = (wanted * (wanted.clamp(min=1e-9).log() - chances)).sum(1)
    taught = legal.any(1)
    is_stranger = (lesson.strangers >> lesson.seats & 1).bool()
    own, strangers = taught & ~is_stranger, taught & is_stranger
    policy, foretold = ((missed * who).sum() / who.sum().clamp(min=1) for who in (own, strangers))
    known = lesson.outcomes != UNTOLD
    weights = known.float() / known.sum().clamp(min=1)
    seats = sight.game.num_seats
    outcome = lesson.outcomes.long()
    place = torch.where(outcome < seats, (outcome - lesson.seats.long()) % seats, outcome)
    outlook = functional.cross_entropy(said.outlook.float(), place.clamp(min=0), reduction="none")
    labels = sight.relabel(lesson.finals, lesson.seats)
    finals = functional.cross_entropy(
        said.finals.float().transpose(1, 2), labels, reduction="none"
    ).mean(1)
    losses = Losses(policy, (outlook * weights).sum(), (finals * weights).sum())
    return replace(losses, strangers=foretold) if count_flags(seats) else losses


class Learner:
    """A net, its average over the last steps, which plays, and what leads it on."""

    def __init__(
        self, net: NetModule, rate: float = 2e-3, average: float = 0.999, compiled: bool = False
    ) -> None:
        self.speak: Callable[..., Said] = torch.compile(net, dynamic=False) if compiled else net
        self.net, self.rate, self.keep = net, rate, average
        self.average = NetModule(net.shape).to(next(net.parameters()).device)
        self.average.load_state_dict(net.state_dict())
        self.optimiser = torch.optim.AdamW(
            net.parameters(), lr=rate, weight_decay=1e-4, betas=(0.9, 0.99), fused=compiled
        )
        self.steps = 0
        self.warmth = 1.0  # what the rate is multiplied by

    WARM_UP = 200  # steps until the rate is as it should be
    MOST_CHANGE = 1.0  # norm of the gradient

    def learn(self, losses: Losses) -> None:
        """One step towards less loss."""
        self.steps += 1
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate * self.warmth * min(1.0, self.steps / self.WARM_UP)
        self.optimiser.zero_grad(set_to_none=True)
        losses.total.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.MOST_CHANGE)
        self.optimiser.step()
        keep = min(self.keep, self.steps / (self.steps + 10))
        with torch.no_grad():
            average, latest = list(self.average.parameters()), list(self.net.parameters())
            torch._foreach_lerp_(average, latest, 1 - keep)

    def write(self) -> dict[str, Any]:
        """All that it takes to go on: the optimiser's averages need no more than 16 bits."""
        state = self.optimiser.state_dict()
        moments = {
            number: {name: _shorten(value) for name, value in entry.items()}
            for number, entry in state["state"].items()
        }
        return {
            "net": self.net.state_dict(),
            "average": {name: value.half() for name, value in self.average.state_dict().items()},
            "moments": moments,
            "steps": self.steps,
        }

    def take(self, weights: dict[str, Tensor]) -> None:
        """Begin with these weights; what only learning needs, players' nets do not have."""
        self.net.load_state_dict(self._widen(weights), strict=False)
        self.average.load_state_dict(self.net.state_dict())

    def read(self, kept: dict[str, Any]) -> None:
        """Go on from what was written."""
        self.net.load_state_dict(self._widen(kept["net"]))
        average = {n: v.float() for n, v in kept["average"].items()}
        self.average.load_state_dict(self._widen(average))
        state = self.optimiser.state_dict()
        names = [name for name, _ in self.net.named_parameters()]
        state["state"] = {
            number: {
                name: self._widen({names[number]: value.float()})[names[number]]
                for name, value in entry.items()
            }
            for number, entry in kept["moments"].items()
        }
        self.optimiser.load_state_dict(state)
        self.steps = kept["steps"]

    def _widen(self, weights: dict[str, Tensor]) -> dict[str, Tensor]:
        """The same weights, or what belongs to them, with zeros for facts that were not told when
        they were made: the net goes on as it was, and learns what the new facts mean."""
        told = weights.get(TOLD)
        if told is None or told.ndim == 0:
            return weights
        missing = self.net.shape.facts - told.shape[-1]
        return {**weights, TOLD: functional.pad(told, (0, missing))}


def _shorten(value: Tensor) -> Tensor:
    return value.bfloat16() if value.numel() > 1 else value
