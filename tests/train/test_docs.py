"""The page on nets: its samples run."""

from pathlib import Path

import pytest

from rl.test_docs import DOCS, samples


def test_samples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code = "\n".join(samples((DOCS / "nets.md").read_text("utf-8")))
    exec(compile(code, "nets.md", "exec"), {"__name__": "__main__"})  # noqa: S102  # ours
    *games, said, shape, corpus = capsys.readouterr().out.splitlines()
    assert games[-1].endswith(" games")
    assert said.startswith(("a1 (", "a2 (", "b1 (", "b2 ("))
    assert shape.startswith("6 blocks, ")
    assert corpus.startswith("32 games, ")
