import type { ServerResponse } from "node:http";
import { startServer, type TestServer } from "./server.ts";

type Body = { request_id: string; task_type: string; inputs?: Record<string, unknown> };

/** A run that the agent has started; the test sends its tokens and its outputs. */
export type AgentCall = {
  readonly body: Body;
  /** Resolves when the gateway has closed the connection. */
  readonly gone: Promise<void>;
  token(text: string): void;
  finish(outputs: object): void;
};

export type TestAgent = TestServer & {
  readonly calls: readonly AgentCall[];
};

/**
 * A minimal agent. It answers at once, unless the inputs have `hold: true`: then the test finishes the run.
 */
export async function startAgent(): Promise<TestAgent> {
  const calls: AgentCall[] = [];
  const server = await startServer((seen, res) => {
    if (seen.path.startsWith("/health")) return res.end('{"status":"ok"}');
    if (seen.path !== "/agents/run/stream") return res.writeHead(404).end();
    const call = begin(seen.body as Body, res);
    calls.push(call);
    if (call.body.inputs?.hold === true) return;
    call.token("grüße ");
    call.token("🙂");
    call.finish({ text: "grüße 🙂" });
  });
  return { ...server, calls };
}

function begin(body: Body, res: ServerResponse): AgentCall {
  const { request_id, task_type } = body;
  res.writeHead(200, { "content-type": "text/event-stream" });
  const send = (event: string, data: object) =>
    res.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  send("started", { request_id, task_type });
  const gone = Promise.withResolvers<void>();
  res.once("close", gone.resolve);
  return {
    body,
    gone: gone.promise,
    token: (text) => void send("token", { text }),
    finish: (outputs) => {
      send("final", { request_id, task_type, status: "ok", ok: true, outputs });
      res.end();
    },
  };
}

/**
 * A manifest for that agent: a service that answers at once, and a flow whose last step needs an approval.
 */
export function meshOf(agentUrl: string): object {
  return {
    agents: {
      echo: {
        url: agentUrl,
        tasks: { ECHO: "Says something.", PUBLISH: "Makes it known." },
        limits: { timeout_ms: 20_000, retries: 0, backoff_ms: 1 },
      },
    },
    flows: {
      release: {
        steps: {
          say: { agent: "echo", task_type: "ECHO", inputs: "request.inputs", show: "outputs" },
          publish: {
            agent: "echo",
            task_type: "PUBLISH",
            needs: ["say"],
            inputs: { text: "approval.proposal.text" },
            approval: { proposal: { text: "steps.say.outputs.text" }, roles: ["editor"] },
          },
          report: { needs: ["say"], after: ["publish"], render: { text: "Said: {steps.say.outputs.text}" } },
        },
        goals: { echo: ["say"], publisher: ["publish"] },
        answer: "report",
      },
    },
    access: { roles: { editor: { inherits: ["analyst"], approvals: { decide: ["release/publish"] } } } },
    services: {
      echo: { agent: "echo", task_type: "ECHO", keywords: ["say"], answer: "outputs.text" },
      publisher: { agent: "echo", task_type: "PUBLISH", keywords: ["publish"], orders: { en: ["publish"] } },
      release: { flow: "release", keywords: ["release"], orders: { en: ["release"] } },
    },
  };
}
