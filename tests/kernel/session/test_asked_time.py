"""Time during which a person is asked is counted once, however many questions are open."""

from codemode_kernel.session.asking import AskedTime


def test_overlapping_questions_count_once() -> None:
    asked = AskedTime()
    assert asked.begin(10.0)
    assert not asked.begin(11.0)
    assert not asked.end(12.0)
    assert asked.end(14.0)
    assert asked.total(20.0) == 4.0


def test_an_open_question_counts_up_to_now() -> None:
    asked = AskedTime()
    asked.begin(1.0)
    asked.end(2.0)
    asked.begin(5.0)
    assert asked.total(5.5) == 1.5
    assert asked.open == 1
