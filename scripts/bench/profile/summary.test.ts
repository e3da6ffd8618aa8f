import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@jest/globals";
import { root } from "../../lib/paths.ts";
import { summarise } from "./summary.ts";

const node = (id: number, functionName: string, url = "", children: number[] = []) => ({
  id,
  callFrame: { functionName, url, lineNumber: 9 },
  children,
});
const file = (path: string) => pathToFileURL(join(root, path)).href;

test("self time by function and by module, idle time left out, system calls on behalf of who asked for them", () => {
  const summary = summarise(
    {
      nodes: [
        node(1, "(root)", "", [2, 3, 6]),
        node(2, "(idle)"),
        node(3, "send", file("node_modules/ioredis/built/redis.js"), [4]),
        node(4, "write", "node:net", [5]),
        node(5, "writeUtf8String"),
        node(6, "frame", file("services/gateway/src/http/sse.ts")),
      ],
      samples: [2, 2, 5, 5, 3, 6],
      timeDeltas: [100, 100, 100, 100, 100, 100],
    },
    3,
  );
  expect(summary.busy).toBeCloseTo(4 / 6);
  expect(summary.functions).toEqual([
    { where: "writeUtf8String for ioredis", share: 0.5 },
    { where: "send ioredis:10", share: 0.25 },
    { where: "frame services/gateway/src/http/sse.ts:10", share: 0.25 },
  ]);
  expect(summary.modules[0]).toEqual({ where: "(native)", share: 0.5 });
});
