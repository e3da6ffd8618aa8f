import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { otlpReceiver } from "./support/otlp.ts";

const MAIN = fileURLToPath(new URL("../../policy/src/main.ts", import.meta.url));

test("an agent continues its caller's trace: in a span, in its log, and to its end", async () => {
  const trace = "0af7651916cd43dd8448eb211c80319c";
  const otlp = await otlpReceiver();
  const child = spawn(process.execPath, [MAIN], {
    env: { PORT: "0", ...otlp.env, OTEL_BSP_SCHEDULE_DELAY: "60000" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "close");
  try {
    const lines: Record<string, unknown>[] = [];
    const listening = Promise.withResolvers<string>();
    createInterface(child.stdout).on("line", (line) => {
      const told = JSON.parse(line);
      lines.push(told);
      if (typeof told.url === "string") listening.resolve(told.url);
    });
    const answer = await fetch(`${await listening.promise}/agents/run/sync`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        traceparent: `00-${trace}-b7ad6b7169203331-01`,
        tracestate: "vendor=1",
      },
      body: JSON.stringify({ request_id: "r1", task_type: "POLICY_CHECK", mode: "DEMO" }),
    });
    expect(answer.status).toBe(200);
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
    // What the interval would have kept for a minute was sent before the end.
    expect(otlp.spans).toMatchObject([
      {
        service: "interlock-policy",
        name: "task POLICY_CHECK",
        kind: "server",
        traceId: trace,
        parentId: "b7ad6b7169203331",
        traceState: "vendor=1",
        failed: false,
        attributes: {
          "gen_ai.agent.name": "policy",
          "interlock.task": "POLICY_CHECK",
          "interlock.request.id": "r1",
        },
      },
    ]);
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: "request", request_id: "r1", trace_id: trace }),
    );
  } finally {
    child.kill("SIGKILL");
    await otlp.stop();
  }
});
