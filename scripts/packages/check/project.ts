import { join } from "node:path";
import type { Guard } from "../../cli/src/guard.ts";
import { ManagedProcess } from "../../cli/src/managed-process.ts";
import { freePorts } from "../../cli/src/ports.ts";
import { run } from "../npm.ts";
import { becomesFree, PATIENCE_MS, PATIENT } from "./patience.ts";
import type { Stranger } from "./stranger.ts";

const HOST = "127.0.0.1";

/**
 * Makes an empty project, starts it, asks, approves and reads back what took effect, as its README says.
 * @param stranger has our packages: the project is below its folder, and finds them there
 */
export async function projectWorks(
  stranger: Stranger,
  language: "ts" | "python",
  guard: Guard,
): Promise<string> {
  const name = `made-${language}`;
  const cwd = join(stranger.folder, name);
  await stranger.run("npx", "create-interlock", name, "--agent", language);
  const [gateway = 0, issuer = 0, agent = 0] = await freePorts(3, HOST);
  const url = `http://${HOST}:${gateway}`;
  const agentUrl = `http://${HOST}:${agent}`;
  const env = {
    ...stranger.env,
    GATEWAY_PORT: String(gateway),
    ISSUER_PORT: String(issuer),
    QUOTES_URL: agentUrl,
  };
  const inProject = (command: string, ...args: string[]) => run(command, args, { cwd, env });
  await Promise.all([inProject("npm", "test"), inProject("npm", "run", "check")]);

  const answers = async (path: string) => (await fetch(path).catch(() => undefined))?.ok === true;
  const mesh = new ManagedProcess(
    {
      name,
      command: "npm",
      args: ["start"],
      env,
      cwd,
      url,
      logFile: join(stranger.folder, `${name}.log`),
      isReady: async () => (await answers(`${url}/readyz`)) && (await answers(`${agentUrl}/health/ready`)),
    },
    guard,
  );
  mesh.start();
  await mesh.ready(PATIENCE_MS);
  const says = await orderApproved(url, async () =>
    (await inProject("npx", "interlock", "token", "--user", "bo", "--role", "buyer")).trim(),
  );
  const judged = ["--strict", ...PATIENT, "--target", `${agentUrl}=QUOTE`];
  await inProject("npx", "interlock-conformance", ...judged);
  await mesh.stop(PATIENCE_MS);
  for (const port of [gateway, issuer, agent])
    if (!(await becomesFree(port))) throw new Error(`Something of ${name} goes on after it was stopped.`);
  return says;
}

async function orderApproved(url: string, tokenOfBuyer: () => Promise<string>): Promise<string> {
  const paused = await post(`${url}/api/v1/chat`, {
    message: "Order it",
    inputs: { item: "desk", quantity: 3 },
    session_id: "first",
  });
  const { id, proposal_hash } = Object(paused.approval);
  if (paused.status !== "paused" || typeof id !== "string")
    throw new Error(`The order did not wait: ${JSON.stringify(paused)}`);
  const authorization = `Bearer ${await tokenOfBuyer()}`;
  await post(`${url}/api/v1/approvals/${id}/decision`, { decision: "approve", proposal_hash }, authorization);
  // Ends once the run does.
  await (await fetch(`${url}/api/v1/runs/${paused.thread_id}/events`)).text();
  const { entries } = Object(await (await fetch(`${url}/api/v1/orders`)).json());
  const [entry] = Array.isArray(entries) ? entries : [];
  const { payload, approval } = Object(entry);
  const { cost } = Object(payload);
  if (entries?.length !== 1 || cost !== 1020 || Object(approval).decided_by !== "bo")
    throw new Error(`The book has ${JSON.stringify(entries)}.`);
  return "ordered for 1020, approved by bo";
}

async function post(url: string, body: object, authorization?: string): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(authorization ? { authorization } : {}) },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${new URL(url).pathname} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}
