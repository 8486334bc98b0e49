"""What nets say on a CPU, against torch and NumPy."""

import numpy as np
import pytest
import torch

import skerry
from skerry.nets import forward
from skerry.nets.convolution import POINTS, give_tile, spread, take_tiles
from skerry.nets.images import list_images
from skerry.nets.matrices import ROWS, multiply, pack
from skerry.nets.plain import PlainNet
from skerry.train.net import NetModule, SightModule
from support.nets import play_some, random_net


def ask(
    game: skerry.Game, net: skerry.nets.file.Net, states: list[skerry.State], strangers: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    ground = forward.survey(game)
    weights = forward.unpack(net, ground.size)
    logits = np.zeros((len(states), game.num_actions), np.float32)
    outlooks = np.zeros((len(states), game.num_seats + 1), np.float32)
    forward.evaluate(
        weights,
        ground,
        forward.set_up(weights, ground),
        np.array([state.codes for state in states]),
        np.array([state.turn for state in states]),
        np.array([state.counter for state in states]),
        np.full(len(states), strangers),
        logits,
        outlooks,
    )
    return logits, outlooks


@pytest.mark.parametrize("rows", [1, ROWS, 2 * ROWS + 1])
def test_products_of_matrices(rows: int) -> None:
    rng = np.random.default_rng(rows)
    room = -(-rows // ROWS) * ROWS
    a = rng.standard_normal((room, 24)).astype(np.float32)
    w = rng.standard_normal((24, 48)).astype(np.float32)
    out = np.zeros((room, 48), np.float32)
    multiply(a, pack(w), out, rows)
    assert np.allclose(out[:rows], (a @ w)[:rows], atol=1e-4)


@pytest.mark.parametrize("size", POINTS)
def test_tiles_are_convolutions(size: int) -> None:
    rng = np.random.default_rng(1)
    board = rng.standard_normal((size + 2, size + 2, 16)).astype(np.float32)
    weights = rng.standard_normal((16, 16, 3, 3)).astype(np.float32)
    taken = np.zeros(((size + 2) ** 2, ROWS, 16), np.float32)
    given, tile = np.zeros_like(taken), np.zeros((size * size, 16), np.float32)
    take_tiles(board, np.zeros((1, 2), np.int32), size, taken, 0)
    for factor, product, weight in zip(taken, given, spread(weights, size), strict=True):
        multiply(factor, pack(weight), product, 1)
    give_tile(given, 0, size, tile)
    seen = torch.from_numpy(board).permute(2, 0, 1)[None].relu()
    wanted = torch.conv2d(seen, torch.from_numpy(weights))[0].permute(1, 2, 0).reshape(-1, 16)
    assert np.allclose(tile, wanted.numpy(), atol=1e-4)


@pytest.mark.parametrize(
    ("name", "options", "size"),
    [("x", {"size": 6}, 3), ("skaane", {}, 4), ("skirt", {}, 4), ("skew", {}, 5), ("x", {}, 5)],
)
def test_boards_are_laid_out_in_tiles_that_fit(
    name: str, options: dict[str, int], size: int
) -> None:
    game = skerry.make(name, **options)
    ground = forward.survey(game)
    assert ground.size == size
    laid = ground.tiled[ground.tiled >= 0]
    assert sorted(laid.tolist()) == list(range(len(game.board)))


@pytest.mark.parametrize("name", skerry.GAMES)
@pytest.mark.parametrize(("channels", "blocks"), [(24, 3), (64, 2)])
def test_a_net_says_the_same_as_in_training(name: str, channels: int, blocks: int) -> None:
    for game in (skerry.make(name), skerry.make(name, **skerry.make(name).sizes[1])):
        made = random_net(game, channels, blocks)
        net = NetModule(made.shape)
        state = {key: torch.from_numpy(value) for key, value in made.weights.items()}
        missing, unexpected = net.load_state_dict(state, strict=False)
        assert not unexpected
        assert all(key.startswith("finals_out") for key in missing)
        states = play_some(game, 3, 11)
        strangers = 0b01  # whoever they are to those who move
        with torch.inference_mode():
            said = SightModule(game).ask(
                net,
                torch.from_numpy(np.array([state.codes for state in states])),
                torch.tensor([state.turn for state in states]),
                torch.tensor([state.counter for state in states]),
                torch.full((len(states),), strangers),
            )
        logits, outlooks = ask(game, made, states, strangers)
        assert np.allclose(logits, said.policy.numpy(), atol=1e-3)
        assert np.allclose(outlooks, said.outlook.softmax(1).numpy(), atol=1e-4)
        assert np.ptp(logits) > 0.1
        plain = PlainNet(game, made)
        for n, state in enumerate(states):
            by_numpy = plain.look(state.codes, state.turn, state.counter, strangers)
            assert np.allclose(by_numpy[0], logits[n], atol=1e-3)
            assert np.allclose(by_numpy[1], outlooks[n], atol=1e-4)


@pytest.mark.parametrize("name", skerry.GAMES)
def test_what_is_said_does_not_depend_on_the_company(name: str) -> None:
    game = skerry.make(name)
    net, states = random_net(game), play_some(game, 5, 13)
    together = ask(game, net, states)
    for k, state in enumerate(states):
        alone = ask(game, net, [state])
        for all_of_them, one in zip(together, alone, strict=True):
            assert np.array_equal(all_of_them[k], one[0])


@pytest.mark.parametrize("name", skerry.GAMES)
def test_images_are_what_transforming_gives(name: str) -> None:
    game = skerry.make(name)
    images = list_images(game)
    state = play_some(game, 6, 1)[0]
    for number in range(len(game.symmetries)):
        image = game.transform(state, number)
        moved = images.codes[number][state.codes[images.cells[number]]]
        assert moved.tolist() == image.codes.tolist()
        turned = sorted(images.actions[number][state.legal_actions()].tolist())
        assert turned == sorted(image.legal_actions().tolist())
