"""python3 -m unittest discover services/minimal"""

import json
import threading
import unittest
import urllib.error
import urllib.request

from contract import Server, TaskError
from task import AGENT, run

TASK = "MINIMAL"


class TheTask(unittest.TestCase):
    def outputs_of(self, inputs):
        steps = run(inputs)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return end.value

    def test_counts_the_words_of_a_text_in_any_script(self):
        self.assertEqual(self.outputs_of({"text": "¿Qué hora es? 지금 몇 시예요?"}), {"words": 6, "longest": "hora"})

    def test_fails_by_name_where_there_are_no_words(self):
        with self.assertRaises(TaskError) as caught:
            self.outputs_of({"text": "…"})
        self.assertEqual(caught.exception.code, "NO_WORDS")


class TheAgent(unittest.TestCase):
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

    def post(self, path, request, headers=None):
        url = f"http://127.0.0.1:{self.server.server_address[1]}/agents/run/{path}"
        body = json.dumps({"request_id": "test", "task_type": TASK, **request}).encode()
        asked = urllib.request.Request(url, body, {"Content-Type": "application/json", **(headers or {})})
        try:
            with urllib.request.urlopen(asked, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.read().decode()

    def test_runs_on_its_sample_and_streams_its_progress(self):
        status, text = self.post("stream", {})
        events = [block.split("\n") for block in text.split("\n\n") if block]
        self.assertEqual(status, 200)
        self.assertEqual([lines[0] for lines in events], ["event: started", "event: progress", "event: final"])
        final = json.loads(events[-1][1].removeprefix("data: "))
        self.assertEqual((final["status"], final["outputs"]), ("ok", {"words": 9, "longest": "quick"}))

    def test_refuses_inputs_that_do_not_fit_and_repeats_none_of_them(self):
        for inputs in ({}, {"text": ""}, {"text": 7}, {"text": "one", "secret": "tell nobody"}):
            status, text = self.post("sync", {"mode": "LIVE", "inputs": inputs})
            self.assertEqual((status, json.loads(text)["error"]["code"]), (400, "INVALID_INPUTS"))
            self.assertNotIn("tell nobody", text)

    def test_answers_a_repeated_key_once(self):
        key = {"Idempotency-Key": "once"}
        first = self.post("sync", {"inputs": {"text": "one two"}}, key)
        self.assertEqual(self.post("sync", {"inputs": {"text": "one two"}}, key), first)
        self.assertEqual(self.post("sync", {"inputs": {"text": "three"}}, key)[0], 422)


if __name__ == "__main__":
    unittest.main()
