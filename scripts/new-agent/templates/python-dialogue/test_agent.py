"""python3 -m unittest discover services/minimal"""

import json
import threading
import unittest
import urllib.error
import urllib.request

from contract import Server
from task import AGENT
from turn import FIRST_TURN

TASK = "MINIMAL_TURN"


class TheDialogue(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(("127.0.0.1", 0), AGENT)
        cls.thread = threading.Thread(target=cls.server.serve_forever, args=[0.05])
        cls.thread.start()

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()
        cls.thread.join()

    def setUp(self):
        self.state = None

    def ask(self, inputs):
        url = f"http://127.0.0.1:{self.server.server_address[1]}/agents/run/sync"
        request = {"request_id": "test", "task_type": TASK, "mode": "LIVE", "inputs": inputs}
        asked = urllib.request.Request(url, json.dumps(request).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(asked, timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.load(refused)

    def say(self, message, locale="en"):
        status, body = self.ask({**FIRST_TURN, "state": self.state, "message": message, "locale": locale})
        self.assertEqual((status, body["status"]), (200, "ok"))
        self.state = body["outputs"]["state"]
        return body["outputs"]

    def test_asks_for_what_is_missing_and_books_once_it_is_confirmed(self):
        first = self.say("a table for 4, please")
        self.assertEqual((first["message"], first["next_action"]), ("At what time, such as 19:30?", "ASK"))
        shown = self.say("19:30")
        self.assertEqual(shown["next_action"], "CONFIRM")
        self.assertEqual(shown["ui_hint"], {"buttons": ["Confirm", "Cancel"]})
        before = self.state
        done = self.say("yes")
        self.assertEqual((done["state"]["stage"], done["next_action"]), ("EXECUTED", "DONE"))
        self.assertEqual(done["effects"], [{"id": before["id"], "kind": "booking", "people": 4, "time": "19:30"}])
        self.state = before
        self.assertEqual(self.say("yes")["effects"], done["effects"])

    def test_speaks_the_language_of_the_user(self):
        self.assertEqual(self.say("예약해 주세요", "ko")["message"], "몇 분이세요?")
        self.assertIn("09:05", self.say("4명 9:05", "ko")["message"])
        self.assertEqual(self.say("네", "ko")["next_action"], "DONE")

    def test_a_correction_is_shown_again_under_another_id(self):
        first = self.say("for 4 at 19:30")["state"]
        second = self.say("no, 6 people")
        self.assertEqual((second["next_action"], second["state"]["slots"]["people"]), ("CONFIRM", 6))
        self.assertNotEqual(second["state"]["id"], first["id"])

    def test_what_is_cancelled_is_not_booked(self):
        self.say("for 4 at 19:30")
        cancelled = self.say("cancel")
        self.assertEqual((cancelled["state"]["stage"], cancelled["next_action"]), ("CANCELLED", "DONE"))
        self.assertNotIn("effects", cancelled)

    def test_asks_again_for_what_it_cannot_take(self):
        self.assertEqual(self.say("for 21 at 19:30")["state"]["missing"], ["people"])
        self.state = None
        self.assertEqual(self.say("at 25:00")["next_action"], "ASK")

    def test_gives_up_after_turns_that_say_nothing_new(self):
        for _ in range(4):
            self.assertEqual(self.say("hello")["next_action"], "ASK")
        self.assertEqual(self.say("hello")["state"]["stage"], "UNSUPPORTED")

    def test_refuses_a_state_that_is_not_its_own(self):
        status, body = self.ask({**FIRST_TURN, "state": {"stage": "READY", "slots": {}}})
        self.assertEqual((status, body["error"]["code"]), (400, "INVALID_INPUTS"))


if __name__ == "__main__":
    unittest.main()
