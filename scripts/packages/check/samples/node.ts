/** What a program under Node does with the packages. It is only compiled: against the sources here, and as a stranger against the tarballs. */
import {
  createAgent,
  dialogue,
  type Env,
  serve,
  type TaskContext,
  TaskError,
  type TaskRequest,
} from "@interlock/agent-kit";
import { callerVerifier } from "@interlock/agent-kit/identity";
import { collect, startAgent, testContext } from "@interlock/agent-kit/testing";
import { ApiError, type ChatEvent, createClient, RunFailedError } from "@interlock/client";
import { checkTargets, reportOf, tableOf } from "@interlock/conformance";
import { agentContract, type RunRequest, schemas } from "@interlock/contracts";
import { formatFor } from "@interlock/contracts/format";
import { secretOf } from "@interlock/contracts/settings";
import type { ChatRequest } from "@interlock/contracts/types";

type Inputs = { readonly text: string };

async function* run({ inputs, mode }: TaskRequest<Inputs>, context: TaskContext) {
  if (inputs.text === "") throw new TaskError("NO_TEXT", "There is no text.", { mode });
  yield { type: "progress", message: "words" } as const;
  return { words: inputs.text.length, for: context.caller?.subject ?? "nobody" };
}

const agent = createAgent({
  card: { name: "words", version: "0.1.0" },
  tasks: {
    WORDS: { inputs: { type: "object" }, outputs: { type: "object" }, sample: () => ({ text: "a" }), run },
    // @ts-expect-error a task without a schema of its outputs
    WRONG: { inputs: { type: "object" }, run },
  },
});

export async function tried(env: Env): Promise<readonly unknown[]> {
  await serve(agent, env, { port: 0 });
  const { sync } = await startAgent(agent);
  const { status } = await sync({ task_type: "WORDS" });
  const { outputs } = await collect(
    run(
      { request_id: "r", task_type: "WORDS", inputs: { text: "a" }, mode: "LIVE", sample: false },
      testContext().context,
    ),
  );
  const words: number = outputs.words;
  // @ts-expect-error the outputs have the type that the task returns
  const wrong: string = outputs.words;
  return [status, words, wrong, callerVerifier, dialogue];
}

export async function asked(): Promise<string> {
  const client = createClient({ baseUrl: "http://127.0.0.1:8080" });
  const turn = client.chat("hello", { sessionId: "s" });
  for await (const event of turn) said(event);
  try {
    const { message } = await turn.result;
    return message ?? "";
  } catch (error) {
    if (error instanceof RunFailedError) return error.code;
    if (error instanceof ApiError) return error.requestId ?? error.code;
    throw error;
  }
}

function said(event: ChatEvent): string {
  if (event.type === "token") return event.token;
  // @ts-expect-error only a token has this field
  return event.token;
}

export function checked(value: unknown): RunRequest | string {
  const result = agentContract.runRequest(value);
  return result.ok ? result.value : result.problem.message;
}

// @ts-expect-error a request has no such field
export const order: ChatRequest = { message: "hello", session_id: "s", massage: "" };

export const others = [checkTargets, reportOf, tableOf, schemas.agent, formatFor, secretOf];
