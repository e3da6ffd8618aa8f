import unittest

from agent import run
from contract import TaskError


def outputs_of(inputs):
    steps = run(inputs)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


class TheTask(unittest.TestCase):
    def test_says_what_an_order_costs(self):
        self.assertEqual(outputs_of({"item": "lamp", "quantity": 2})["quote"]["cost"], 90)

    def test_fails_by_name_for_an_item_that_there_is_not(self):
        with self.assertRaises(TaskError) as caught:
            outputs_of({"item": "sofa", "quantity": 1})
        self.assertEqual(caught.exception.code, "UNKNOWN_ITEM")


if __name__ == "__main__":
    unittest.main()
