"""Players that are programs: what they are told, and that nothing they do harms anybody else."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from shutil import which

import pytest

import skerry
from skerry.agents.command import CommandPlayer
from skerry.agents.program import LAST_WORDS
from skerry.search.players import dismiss, invite
from support.bots import ENGINE, FIRST, is_running, write_bot, write_program

SMALL = skerry.make("x", size=3)


def command_player(spec: str) -> CommandPlayer:
    made = skerry.player(spec)
    assert isinstance(made, CommandPlayer)
    return made


def pid_of(player: CommandPlayer) -> int:
    assert player._talk is not None
    return player._talk.program._process.pid


def test_what_a_program_is_told(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    bot = write_program(
        tmp_path,
        f"""#!/bin/sh
        while read -r line; do
          echo "$line" >> {heard}
          case $line in
            skerry*) echo "# hello"; echo; echo "ready a bot";;
            legal*) set -- $line;;
            go*) echo "$2";;
            quit) exit;;
          esac
        done
        """,
    )
    player = command_player(f"cmd:timeout=7,{bot}")
    start = SMALL.initial()
    for state, seed in ((start, 5), (start.play("a1").play("b2"), None)):
        move = player.choose(state, seed)
        assert str(move) == str(state.legal_moves()[0])
        player.follow(state, move)
        player.follow(state.play(move), state.play(move).legal_moves()[0])
    dismiss(player)
    first = ["skerry 1", "game x size=3", "start 3/3/3 r", "moves", "position 3/3/3 r"]
    first += ["legal a1 a2 a3 b1 b2 b3 c1 c2 c3", "go seat=0 seconds=7 seed=5"]
    # The second state is not where the first game went, so a new one begins.
    other = ["game x size=3", "start 3/1y1/r2 g", "moves", "position 3/1y1/r2 g"]
    other += ["legal a2 a3 b1 b3 c1 c2 c3", "go seat=2 seconds=7", "quit"]
    assert heard.read_text().splitlines() == first + other


def test_a_program_hears_of_all_moves_of_a_game(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    bot = write_bot(tmp_path, f'moves|game) echo "$word $rest" >> {heard};; {FIRST}')
    with invite([f"cmd:{bot}"]) as (player,):
        state = SMALL.initial()
        for _ in range(3):
            move = player.choose(state)
            player.follow(state, move)
            state = state.play(move)
    assert heard.read_text().splitlines() == ["game x size=3", "moves ", "moves a1", "moves a1 a2"]


FAILURES = {
    "never ready": ("start=0.2,sleep 60", "not ready within 0.2 s"),
    "no protocol": ("cat", "answered 'skerry 1' to 'skerry 1' instead of 'ready'"),
    "gone at once": ("true", "ended with exit code 0"),
    "illegal": ("go) echo zz;;", "illegal move 'zz'"),
    "not here": ("go) echo a1;;", "illegal move 'a1': a1 already holds"),
    "no text": ("go) printf '\\377\\000\\n';;", "illegal move"),
    "silent": ("nothing) ;;", "no answer within 0.5 s"),
    "remarks only": ("go) while :; do echo '# hm'; done;;", "no answer within 0.5 s"),
    "crash": ("go) echo boom >&2; exit 3;;", r"ended with exit code 3"),
    "killed": ("go) kill -9 $$;;", "ended by SIGKILL"),
    "closed": ("go) exec >&-; sleep 60;;", "closed its output"),
    "huge": ("go) head -c 2000000 /dev/zero | tr '\\0' a; echo;;", "more than 1,048,576 bytes"),
    "endless": ("go) cat /dev/zero;;", "more than 1,048,576 bytes"),
    "resigns": ("go) echo resign;;", "it resigned"),
    "complains": ("go) echo error I do not know Skew;;", "it said: 'I do not know Skew'"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_loses_the_game_and_nothing_else(tmp_path: Path, name: str) -> None:
    deed, reason = FAILURES[name]
    is_deed = ")" in deed
    bot = write_bot(tmp_path, deed) if is_deed else deed
    timeout = "timeout=0.5," if "0.5 s" in reason else ""
    player = command_player(f"cmd:{timeout}{bot}")
    state = SMALL.initial().play("a1")
    for _ in range(2):  # it is started again, and fails again
        with pytest.raises(skerry.Forfeit, match=reason) as failure:
            player.choose(state)
        assert player._talk is None
    assert failure.value.detail == ("boom" if name == "crash" else "")
    if is_deed and not timeout:
        write_bot(tmp_path)
        assert str(player.choose(state)) == "a2"  # it was mended meanwhile
    dismiss(player)


def test_nothing_is_left_of_a_program(tmp_path: Path) -> None:
    """Neither of one that hangs at the end, nor of what it has started itself."""
    child = tmp_path / "child"
    deed = f"quit) ;; go) sleep 60 & echo $! > {child}; echo a1; trap '' TERM HUP; sleep 60;;"
    bot = write_bot(tmp_path, deed).replace("quit) exit;;", "")
    player = command_player(f"cmd:{bot}")
    player.choose(SMALL.initial())
    pids = [pid_of(player), int(child.read_text())]
    assert all(map(is_running, pids))
    dismiss(player)
    assert not is_running(pids[0])
    until_gone(pids[1])


@pytest.mark.skipif(not which("setsid"), reason="needs setsid")
def test_what_runs_away_with_the_pipes_is_not_waited_for(tmp_path: Path) -> None:
    child = tmp_path / "child"
    deed = f"go) setsid sh -c 'echo $$ > {child}; exec sleep 60' & sleep 0.1; exit 3;;"
    player = command_player(f"cmd:timeout=1,{write_bot(tmp_path, deed)}")
    with pytest.raises(skerry.Forfeit, match=r"no answer within 1 s|closed its output|code 3"):
        player.choose(SMALL.initial())
    os.kill(int(child.read_text()), signal.SIGKILL)


def until_gone(pid: int) -> None:
    """A process whose parent has died is reaped by another, which may take a moment."""
    stat = Path(f"/proc/{pid}/stat")
    for _ in range(200):
        if not is_running(pid) or (stat.exists() and ") Z " in stat.read_text()):
            return
        time.sleep(0.05)
    pytest.fail(f"{pid} is still running")


def test_a_player_that_is_forgotten_takes_its_program_along(tmp_path: Path) -> None:
    player = command_player(f"cmd:{write_bot(tmp_path)}")
    player.choose(SMALL.initial())
    pid = pid_of(player)
    del player
    until_gone(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere its input ends, and no more")
def test_a_program_ends_with_whoever_started_it(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, f"go) echo $$ > {tmp_path}/pid; echo a1; while :; do sleep 1; done;;")
    code = f"""
import asyncio
from skerry.agents.program import Program

async def start():
    program = await Program.start(["{bot}"])
    await program.send("go")
    await program.receive()
    print("moved", flush=True)
    await asyncio.sleep(600)

asyncio.run(start())
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"moved\n"
        pid = int((tmp_path / "pid").read_text())
        assert is_running(pid)
        parent.send_signal(signal.SIGKILL)
    until_gone(pid)


def test_a_flood_of_errors_blocks_nobody(tmp_path: Path) -> None:
    loud = "go) head -c 3000000 /dev/zero | tr '\\0' e >&2; set -- $moves; echo $1;;"
    with invite([f"cmd:{write_bot(tmp_path, loud)}"]) as (player,):
        assert str(player.choose(SMALL.initial())) == "a1"
        assert isinstance(player, CommandPlayer)
        assert player._talk is not None
        assert player._talk.program.last_words == "e" * LAST_WORDS  # and no more is kept


def test_one_that_reads_nothing_is_not_waited_for(tmp_path: Path) -> None:
    deaf = write_program(tmp_path, "#!/bin/sh\necho ready\nexec 3<&0\nsleep 60\n")
    player = command_player(f"cmd:timeout=0.5,{deaf}")
    state = SMALL.initial()
    player.follow(state, state.legal_moves()[0])
    player._moves *= 100_000  # far more than a pipe holds
    after = player._at
    assert after is not None
    with pytest.raises(skerry.Forfeit, match=r"no answer within 0.5 s"):
        player.choose(after)


def test_what_a_server_knows_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKERRY_DATABASE", "postgresql://me:secret@here/db")
    bot = write_bot(tmp_path, "go) echo error ${SKERRY_DATABASE:-nothing};;")
    with pytest.raises(skerry.Forfeit, match="nothing"):
        skerry.player(f"cmd:{bot}").choose(SMALL.initial())


@pytest.mark.soak
def test_our_engine_as_a_player() -> None:
    """It is known by its first answer; seeds and simulations make it choose the same again."""
    spec = f"cmd:timeout=600,simulations=60,{ENGINE}"  # it may have to compile first
    assert command_player(spec).simulations == 60
    state = SMALL.initial().play("b2")
    with invite([spec]) as (player,):
        assert player.choose(state, seed=3) == player.choose(state, seed=3)
        values = player.appraise(state, 1)
        assert len(values) == 3
        assert values != player.appraise(SMALL.initial(), 1)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("cmd:", "name a program"),
        ("cmd:./there-is-none", "no program './there-is-none'"),
        ("cmd:timeout=0,cat", "timeout=0 is not understood"),
        ("cmd:threads=1.5,cat", "threads=1.5 is not understood"),
        ("cmd:timeout=1,timeout=2,cat", "sets timeout twice"),
        ("cmd:cat 'x", "is no command: no closing quotation"),
    ],
)
def test_specs_that_make_no_sense(spec: str, reason: str) -> None:
    with pytest.raises(skerry.OptionsError, match=reason):
        skerry.player(spec)


def test_settings() -> None:
    player = command_player("cmd:timeout=2.5, threads=3, cat 'a b' timeout=1,")
    assert (player.timeout, player.threads) == (2.5, 3)
    assert player.command == ("cat", "a b", "timeout=1,")
