"""Learning: how nets see, what they are shown, and runs that are left and taken up again."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import skerry
from skerry.nets.file import LATEST, read_net
from skerry.nets.images import list_images
from skerry.nets.sight import shape_for
from skerry.rl import BatchEnv
from skerry.train import checkpoint
from skerry.train.forest import Forest
from skerry.train.learner import Learner, Turner, judge
from skerry.train.net import NetModule, SightModule
from skerry.train.recipe import Recipe
from skerry.train.replay import Lesson, ReplayBuffer
from skerry.train.run import CHECKPOINT, CURVE, Run
from skerry.train.tree import UNTOLD
from support.nets import play_some
from train.test_tree import small, think

TINY = Recipe(batch=32, simulations=4, steps_kept=16, lesson=64, channels=8, blocks=2)


def show(states: list[skerry.State]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Codes, seats and counters."""
    codes = np.array([state.codes for state in states])
    seats = np.array([state.turn for state in states], np.int8)
    counters = np.array([state.counter for state in states], np.int32)
    return torch.from_numpy(codes), torch.from_numpy(seats), torch.from_numpy(counters)


@pytest.mark.parametrize("name", skerry.GAMES)
def test_a_net_sees_what_observations_show(name: str) -> None:
    game = skerry.make(name)
    env = BatchEnv(game, 16)
    for _ in range(9):
        env.step(env.sample())
    seen = env.observe()
    sight = SightModule(game)
    planes, facts = sight.look(*show([env.state(k) for k in range(16)]))
    assert np.array_equal(planes[:, : sight.planes].numpy(), seen[:, : sight.planes])
    board = planes[:, sight.planes].numpy()
    assert np.array_equal(board, np.broadcast_to(sight.mask[0].numpy(), board.shape))
    assert planes[:, sight.planes + 1 :].abs().sum() == 0
    assert facts[:, : game.num_seats].argmax(1).tolist() == env.to_move.tolist()


@pytest.mark.parametrize("name", skerry.GAMES)
def test_turned_lessons_are_turned_positions(name: str) -> None:
    game = small(name, 2)
    actions = list_images(game).actions
    states = play_some(game, 3)
    shown, seats, counters = show(states)
    targets = torch.full((len(states), game.num_actions), -1.0)
    for k, state in enumerate(states):
        legal = state.legal_actions().tolist()
        targets[k, legal] = torch.arange(1.0, len(legal) + 1)
    untold = torch.full((len(states),), UNTOLD)
    lesson = Lesson(shown, seats, counters, torch.zeros_like(seats), targets, untold, shown)
    generator = torch.Generator().manual_seed(0)
    turned = Turner(game, "cpu").turn(lesson, generator)
    generator.manual_seed(0)
    ways = torch.randint(len(game.symmetries), (len(states),), generator=generator)
    assert len(set(ways.tolist())) > 1
    for k, (state, way) in enumerate(zip(states, ways.tolist(), strict=True)):
        image = game.transform(state, way)
        assert turned.codes[k].tolist() == turned.finals[k].tolist() == image.codes.tolist()
        for action in state.legal_actions().tolist():
            assert turned.targets[k, game.transform_action(action, way)] == targets[k, action]
        assert (turned.targets[k] >= 0).sum() == (targets[k] >= 0).sum()
    assert actions.shape == (len(game.symmetries), game.num_actions)


def test_one_net_speaks_of_all_boards_of_a_game() -> None:
    net = NetModule(shape_for(skerry.make("skirt"), 8, 2))
    for size in (0, 3, 5):
        game = small("skirt", size)
        states = play_some(game, 2, 3)
        said = SightModule(game).ask(net, *show(states), finals=True)
        assert said.policy.shape == (len(states), game.num_actions)
        assert said.outlook.shape == (len(states), 3)
        assert said.finals.shape[:2] == (len(states), len(game.board))


def test_positions_are_remembered_with_how_their_game_ended() -> None:
    game = skerry.make("x", size=2)
    forest, memory = Forest(game, 8, 2, seed=1), ReplayBuffer(game, 8, 6, "cpu")
    known: dict[bytes, set[int]] = {}
    running: list[list[bytes]] = [[] for _ in range(8)]
    for _ in range(20):
        think(forest)
        for k, line in enumerate(running):
            line.append(forest.state(k).codes.tobytes())
        forest.play()
        memory.keep(forest.tell())
        for k, line in enumerate(running):
            if forest.outcomes[k] != UNTOLD:
                for codes in line:
                    known.setdefault(codes, set()).add(int(forest.outcomes[k]))
                line.clear()
    assert memory.count_ended() > 20
    assert memory.count_ended() == 0
    lesson = memory.draw(400, torch.Generator().manual_seed(0))
    told = 0
    for codes, outcome in zip(lesson.codes, lesson.outcomes.tolist(), strict=True):
        if outcome != UNTOLD:
            told += 1
            assert outcome in known[codes.numpy().tobytes()]
    assert 200 < told < 400  # some games go on


def test_games_that_were_cut_off_have_no_end() -> None:
    """Somebody else goes on in the same columns, whose games end; those before never do."""
    game = skerry.make("x", size=2)
    memory = ReplayBuffer(game, 8, 40, "cpu")
    ended, lost = 0, []
    for seed in range(3):
        forest = Forest(game, 8, 2, seed=seed)
        open_since = torch.full((8,), memory.seen)
        for _ in range(9):
            think(forest)
            forest.play()
            memory.keep(forest.tell())
            is_over = forest.outcomes != UNTOLD
            ended += int(is_over.sum())
            open_since[is_over] = memory.seen
        memory.cut_off()
        memory.cut_off()  # of which there is nothing left
        lost += [(slice(n, memory.seen), k) for k, n in enumerate(open_since.tolist())]
    for rows, column in lost:
        assert (memory.outcomes[memory.games[rows, column], column] == UNTOLD).all()
    assert sum(rows.stop - rows.start for rows, _ in lost) > 0
    assert memory.count_ended() == ended > 0
    lesson = memory.draw(400, torch.Generator().manual_seed(0))
    assert 0 < (lesson.outcomes == UNTOLD).sum() < 200


def test_a_net_learns_what_it_is_shown() -> None:
    game = small("skaane")
    run = Run(game, [], TINY, "cpu", Path("nowhere"))
    practice = run.feed.practices[0]
    for _ in range(16):
        for _, played in run.feed.play(run.learner):
            practice.replay.keep(played)
    lesson = practice.replay.draw(64, run.generator)
    learner = Learner(run.learner.net, rate=1e-2)
    first = judge(learner.net, practice.sight, lesson).total.item()
    for _ in range(80):
        learner.learn(judge(learner.net, practice.sight, lesson))
    assert judge(learner.net, practice.sight, lesson).total.item() < first / 2


@pytest.mark.usefixtures("steady_clock")
def test_a_run_goes_on_where_it_was_left(tmp_path: Path) -> None:
    game, others = skerry.make("x", size=3), [skerry.make("x", size=2)]
    heard: list[dict[str, float]] = []
    run = Run(game, others, TINY, "cpu", tmp_path)
    run.warm_up()
    run.train(0.04, heard.append, every=0.5)
    assert heard[-1]["positions"] == run.headway.positions > 0
    assert len((tmp_path / CURVE).read_text().splitlines()) == len(heard)
    again = Run(game, others, TINY, "cpu", tmp_path)
    assert again.headway == run.headway
    assert again.learner.steps == run.learner.steps > 0
    weights = run.learner.net.state_dict()
    for name, ours in again.learner.net.state_dict().items():
        assert torch.equal(ours, weights[name])
    again.train(0.01, heard.append)
    assert again.headway.positions > run.headway.positions
    net = read_net(tmp_path / LATEST, game)
    assert net.card["headway"]["positions"] == again.headway.positions
    assert net.card["boards"] == [{"size": 3}, {"size": 2}]
    for name, average in again.learner.average.state_dict().items():
        if name in net.weights:
            assert np.array_equal(net.weights[name], average.half().numpy())
    player = skerry.player(f"net:file={tmp_path / LATEST},simulations=8")
    assert player.choose(game.initial()) in game.initial().legal_moves()


@pytest.mark.usefixtures("steady_clock")
def test_a_run_begins_with_the_net_of_another(tmp_path: Path) -> None:
    game = skerry.make("x", size=3)
    first = Run(game, [], TINY, "cpu", tmp_path / "first")
    first.train(0.01, lambda entry: None)
    net = read_net(tmp_path / "first" / LATEST, game)
    second = Run(game, [], TINY, "cpu", tmp_path / "second", start=net)
    assert second.headway == first.headway
    for part in (second.learner.net, second.learner.average):
        ours = part.state_dict()
        assert all(np.array_equal(ours[name], value) for name, value in net.weights.items())
    assert second.learner.steps == 0  # the optimiser knows nothing of it
    with pytest.raises(skerry.OptionsError, match="another shape: 2 blocks of 8 channels"):
        Run(game, [], replace(TINY, channels=16), "cpu", tmp_path / "third", start=net)


@pytest.mark.usefixtures("steady_clock")
def test_the_rate_falls_towards_the_end_of_a_run(tmp_path: Path) -> None:
    run = Run(skerry.make("x", size=3), [], replace(TINY, cooling=0.5), "cpu", tmp_path)
    assert [run._cool(passed) for passed in (0, 0.5, 0.75, 1)] == [1, 1, 0.5, 0.1]
    run.train(0.03, lambda entry: None)
    learner = run.learner
    assert learner.warmth < 0.5  # as the last round found it
    warm = TINY.rate * min(1, learner.steps / learner.WARM_UP)
    assert learner.optimiser.param_groups[0]["lr"] == pytest.approx(learner.warmth * warm)


@pytest.mark.usefixtures("steady_clock")
def test_foreign_and_damaged_files_are_refused(tmp_path: Path) -> None:
    game, path = skerry.make("x", size=3), tmp_path / CHECKPOINT
    run = Run(game, [], TINY, "cpu", tmp_path)
    run.train(0.001, lambda entry: None)
    with pytest.raises(skerry.OptionsError, match="a net for x, not for skirt"):
        Run(skerry.make("skirt", side=3), [], TINY, "cpu", tmp_path)
    with pytest.raises(skerry.OptionsError, match="another shape: 2 blocks of 8 channels"):
        Run(game, [], replace(TINY, channels=16), "cpu", tmp_path)
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(skerry.OptionsError, match="damaged, or not a checkpoint"):
        Run(game, [], TINY, "cpu", tmp_path)
    with pytest.raises(skerry.OptionsError, match="there is no file"):
        checkpoint.read(tmp_path / "none.pt", game)


@pytest.mark.soak
def test_it_learns_to_beat_random_play(tmp_path: Path) -> None:
    game = skerry.make("skew", side=2, pegs=2)
    run = Run(game, [], replace(Recipe.small(), batch=64), "cpu", tmp_path)
    while run.headway.rounds < 300:
        list(run._round())
    net, sight = run.learner.average.eval(), SightModule(game)
    points, chooser = 0.0, np.random.default_rng(3)
    for number in range(100):
        state = game.initial()
        while not state.is_over:
            legal = state.legal_actions()
            if state.turn == number % 2:
                with torch.inference_mode():
                    said = sight.ask(net, *show([state])).policy[0].numpy()
                state = state.play(int(legal[np.argmax(said[legal])]))
            else:
                state = state.play(int(chooser.choice(legal)))
        assert state.outcome is not None
        points += (state.outcome.returns[number % 2] + 1) / 2
    assert points >= 70
