"""Who runs when, and what happens to a system that fails on the way.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib
import sys

import pytest
import turns


class FakeProbe:
    def __init__(self, log, rates=()):
        self.log, self.rates = log, list(rates)

    def measure(self):
        self.log.append("probe")
        return {"gflops": self.rates.pop(0) if self.rates else 100.0,
                "gbps": 10.0}

    def is_quiet(self, peak, part, reading_part):
        return peak["gflops"] >= 100 * part


class FakeWorker:
    def __init__(self, name, log, fail_in=None):
        self.name, self.log, self.fail_in = name, log, fail_in
        self.turns = 0

    def ask(self, do, timeout, seconds):
        self.turns += 1
        self.log.append(self.name)
        if self.turns == self.fail_in:
            raise turns.Failed("broke")
        return {"times": [0.001], "errors": {"error": 1e-6 * self.turns,
                                             "rms_error": 1e-7 * self.turns}}


def times(done):
    return {key: [turn.result for turn in turns_of]
            for key, turns_of in done.turns.items()}


def test_each_has_a_turn_a_round_and_the_first_one_changes():
    log = []
    workers = {n: FakeWorker(n, log) for n in "abc"}
    done = turns.interleave(workers, FakeProbe(log), 3, 0.01, 1)
    assert log == ["probe"] + [
        entry for name in "abcbcacab" for entry in (name, "probe")]
    assert times(done) == {n: [[0.001]] * 3 for n in "abc"}
    assert done.errors["a"] == pytest.approx(
        {"error": 3e-6, "rms_error": 3e-7})  # the largest
    assert done.failed == {} and done.disturbed == 0


def test_who_varies_has_more_turns():
    log = []
    # The second turn of a is four times as long, that of b a fifth longer.
    lengths = {"a": [1, 4, 1, 1], "b": [1, 1.2]}

    class Varies(FakeWorker):
        def ask(self, do, timeout, seconds):
            reply = super().ask(do, timeout, seconds)
            return {**reply, "times": [lengths[self.name][self.turns - 1]]}
    workers = {n: Varies(n, log) for n in lengths}
    done = turns.interleave(workers, FakeProbe(log), 2, 0.01, 1)
    assert times(done) == {"a": [[1], [4], [1], [1]], "b": [[1], [1.2]]}


def test_a_disturbed_turn_is_made_again(monkeypatch):
    monkeypatch.setattr(turns, "WAIT_SECONDS", 0)
    log = []
    workers = {n: FakeWorker(n, log) for n in "ab"}
    done = turns.interleave(
        workers, FakeProbe(log, [100, 98, 90, 99]), 1, 0.01, 1)
    # The second turn of b waited for the machine to be quiet.
    assert log == ["probe", "a", "probe", "b", "probe", "probe", "b", "probe"]
    assert times(done) == {n: [[0.001]] for n in "ab"} and done.disturbed == 1
    assert done.errors["b"]["error"] == pytest.approx(2e-6)
    assert {n: [(t.before["gflops"], t.after["gflops"]) for t in turns_of]
            for n, turns_of in done.turns.items()} == {
                "a": [(100, 98)], "b": [(99, 100)]}


def test_turns_count_where_the_machine_is_never_quiet(monkeypatch):
    monkeypatch.setattr(turns, "WAIT_SECONDS", 0)
    log = []
    done = turns.interleave({"a": FakeWorker("a", log)},
                            FakeProbe(log, [90] * 999), 2, 0.01, 1)
    assert len(done.turns["a"]) == 2 and done.disturbed == 2
    assert log.count("a") == 4


def test_one_disturbance_does_not_use_up_what_others_may_repeat(monkeypatch):
    monkeypatch.setattr(turns, "WAIT_SECONDS", 0)
    monkeypatch.setattr(turns, "WAITS", 0)
    log = []
    workers = {n: FakeWorker(n, log) for n in "ab"}
    # Both turns of a are disturbed, of which one may be left out, and the first
    # of b, which may have another as well.
    done = turns.interleave(
        workers, FakeProbe(log, [100, 90, 90, 100, 100]), 1, 0.01, 1)
    assert [name for name in log if name != "probe"] == list("aabb")
    assert done.disturbed == 2


def test_what_was_disturbed_counts_where_there_is_nothing_else():
    probe = FakeProbe([])

    def turn(result, *rates):
        return turns.Watched(result, *({"gflops": rate} for rate in rates))
    before, after = turn("a", 90, 100), turn("b", 100, 90)
    quiet = turn("c", 96, 97)
    assert turns.quiet_ones([before, quiet, after], probe) == [quiet]
    assert turns.quiet_ones([before, after], probe) == [before, after]


def test_what_is_disturbed_too_often_counts(monkeypatch):
    monkeypatch.setattr(turns, "WAIT_SECONDS", 0)
    monkeypatch.setattr(turns, "WAITS", 1)
    log = []
    # Busy before, while it waits, after; then quiet.
    watch = turns.Watch(FakeProbe(log, [90, 91, 92, 100, 100]), again=1)
    assert watch.run(lambda: log.append("a") or "a") == (
        "a", {"gflops": 92, "gbps": 10.0}, {"gflops": 100, "gbps": 10.0})
    assert log == ["probe", "probe", "a", "probe", "a", "probe"]
    assert watch.disturbed == 1
    assert watch.run(lambda: "b").before == {"gflops": 100, "gbps": 10.0}


def test_who_fails_has_no_more_turns():
    log = []
    workers = {"a": FakeWorker("a", log), "b": FakeWorker("b", log, 2)}
    done = turns.interleave(workers, FakeProbe(log), 4, 0.01, 1)
    assert done.failed == {"b": "broke"}
    assert log.count("a") == 4 and log.count("b") == 2
    # What the machine can do is known anew after each.
    assert log == ["probe"] + [
        entry for name in "abbaaa" for entry in (name, "probe")]


def test_who_is_very_slow_sits_out_the_last_rounds(monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE_SECONDS", 0.0015)
    log = []
    done = turns.interleave(
        {"a": FakeWorker("a", log)}, FakeProbe(log), 9, 0.01, 1)
    assert len(done.turns["a"]) == 3


WORKER = """
import json, os, sys
print(json.dumps({"version": "1"}), flush=True)
for line in sys.stdin:
    command = json.loads(line)
    if command["do"] == "die":
        print("out of luck", file=sys.stderr, flush=True)
        os._exit(3)
    if command["do"] == "hang":
        import time
        time.sleep(60)
    reply = {"failed": "no"} if command["do"] == "fail" else {"pid": os.getpid()}
    print(json.dumps(reply), flush=True)
"""


@pytest.fixture
def worker(tmp_path, monkeypatch):
    (tmp_path / "worker.py").write_text(WORKER)
    monkeypatch.setattr(turns, "HERE", tmp_path)
    process = turns.WorkerProcess({}, {}, tmp_path / "log", 20)
    yield process
    process.close()


def state(pid):
    """T is stopped."""
    text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    return text.rpartition(")")[2].split()[0]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="uses /proc")
def test_worker_is_stopped_between_answers(worker):
    assert worker.hello == {"version": "1"}
    pid = worker.ask("work")["pid"]
    assert state(pid) == "T"
    assert worker.ask("work")["pid"] == pid


def test_failures_say_why(worker):
    with pytest.raises(turns.Failed, match="no"):
        worker.ask("fail")
    with pytest.raises(turns.Failed, match="no answer"):
        worker.ask("hang", timeout=0.2)


def test_death_is_reported_with_the_last_words(worker):
    with pytest.raises(turns.Failed, match="ended with 3: out of luck"):
        worker.ask("die")
