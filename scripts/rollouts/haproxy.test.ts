import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { root } from "../lib/paths.ts";
import { configFor } from "./haproxy.ts";

const shipped = readFileSync(join(root, "scripts/balancer/haproxy.cfg"), "utf8");

test("the shipped rules count for replicas at fixed addresses, too: only where they are is another line", () => {
  const config = configFor(shipped, 4711, ["http://127.0.0.1:1", "http://127.0.0.1:2"]);
  const added = config.split("\n").filter((line) => !shipped.includes(`${line}\n`));
  expect(added.map((line) => line.trim())).toEqual([
    "bind 127.0.0.1:4711",
    "server gateway-1 127.0.0.1:1 check inter 500ms fall 1 rise 1",
    "server gateway-2 127.0.0.1:2 check inter 500ms fall 1 rise 1",
  ]);
  const removed = shipped.split("\n").filter((line) => !config.includes(`${line}\n`));
  expect(removed.filter((line) => /timeout|retr|option|http/.test(line)).map((line) => line.trim())).toEqual([
    "timeout resolve 500ms",
    "timeout retry 500ms",
  ]);
});

test("a shipped file whose lines have changed is refused, rather than tested without its rules", () => {
  expect(() => configFor(shipped.replace("server-template", "server"), 1, [])).toThrow("server-template");
});
