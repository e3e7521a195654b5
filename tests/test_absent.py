"""When a loop that may have no end without what is not there is ended; what becomes of cells is in ``test_grading_border``."""

import math
from types import SimpleNamespace

import pytest

from lmkit.student import absent


@pytest.mark.parametrize(
    ("clock", "computing", "left", "ends"),
    [
        (40, 30, 60, False),  # an honest training
        (47, 47, 60, False),
        (200, 47, 60, False),  # on a busy machine
        (49, 49, 60, True),
        (49, 49, 300, False),  # where a cell has five minutes
        (5, 5, 6, True),  # it began late
        (29, 1, 60, False),
        (31, 1, 60, True),  # it merely waits
        (31, 4, 60, True),
        (31, 7, 60, False),
        (40, 8.1, 60, False),
    ],
)
def test_a_loop_is_ended_when_most_of_its_cells_time_is_over(monkeypatch, clock, computing, left, ends):
    now = SimpleNamespace(monotonic=lambda: 1000.0, clock_gettime=lambda clock: 50.0)
    monkeypatch.setattr(absent, "time", now)
    monkeypatch.setattr(absent, "_seconds_left", lambda: left)
    leave_out = absent.LeaveOut()
    leave_out.begin()
    monkeypatch.setattr(absent, "_seconds_left", lambda: 0.0)  # a timer that the cell has set
    assert not leave_out._takes_too_long(3)
    now.monotonic, now.clock_gettime = lambda: 1000.0 + clock, lambda clock: 50.0 + computing
    assert leave_out._takes_too_long(3) is ends
    assert not leave_out._takes_too_long(4)  # the time of another line begins now
    leave_out.times[3] = 1
    leave_out.begin()
    assert not leave_out.times and not leave_out._takes_too_long(3)


@pytest.mark.parametrize(("computing", "ends"), [(47, False), (49, True)])
def test_a_loop_of_a_cell_that_nothing_stops_has_a_minute_whenever_it_begins(monkeypatch, computing, ends):
    now = SimpleNamespace(monotonic=lambda: 0.0, clock_gettime=lambda clock: 0.0)
    monkeypatch.setattr(absent, "time", now)
    monkeypatch.setattr(absent, "_seconds_left", lambda: math.inf)
    leave_out = absent.LeaveOut()
    leave_out.begin()
    now.clock_gettime = lambda clock: 100.0
    assert not leave_out._takes_too_long(3)
    now.clock_gettime = lambda clock: 100.0 + computing
    assert leave_out._takes_too_long(3) is ends


@pytest.mark.parametrize(
    ("timer", "left"), [((0.0, 0.0), math.inf), ((12.5, 0.0), 12.5), ((0.01, 0.01), math.inf), (None, math.inf)]
)
def test_what_a_cell_has_left_is_what_its_timer_says(monkeypatch, timer, left):
    signal = (
        SimpleNamespace(ITIMER_PROF=2) if timer is None else SimpleNamespace(ITIMER_PROF=2, getitimer=lambda _: timer)
    )
    monkeypatch.setattr(absent, "signal", signal)
    assert absent._seconds_left() == left
