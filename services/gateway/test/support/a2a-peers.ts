import { randomUUID } from "node:crypto";
import { Role, type Task, TaskState, type TaskStatus } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import type { Peer, PeerAsk } from "./openai-peers.ts";

type Binding = "JSONRPC" | "HTTP+JSON";

/** What the gateway itself said of a refusal: the library keeps no more than the message of some. */
type Refused = { status: number; code: string | undefined };

/** The protocol's own client. @param onRefused told of each answer that is an error as a whole */
export async function a2aClient(
  { url, headers }: Pick<PeerAsk, "url" | "headers">,
  {
    binding = "JSONRPC",
    path = "",
    onRefused,
  }: { binding?: Binding; path?: string; onRefused?: (refused: Refused) => void } = {},
): Promise<Client> {
  const fetchImpl: typeof fetch = async (input, init) => {
    const answer = await fetch(input, { ...init, headers: { ...headers, ...Object(init?.headers) } });
    if (!answer.ok) {
      const { error } = Object(await answer.clone().json());
      const [info] = error?.data ?? error?.details ?? [];
      onRefused?.({ status: answer.status, code: info?.metadata?.code });
    }
    return answer;
  };
  const transports = [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })];
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports,
      preferredTransports: [binding],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    }),
  );
  return await factory.createFromUrl(`${url}${path}`);
}

/** What a message is sent with. */
export function message(
  text: string,
  {
    contextId = "",
    taskId = "",
    messageId = randomUUID(),
    data,
  }: { contextId?: string; taskId?: string; messageId?: string; data?: object } = {},
) {
  const content = data ? { $case: "data" as const, value: data } : { $case: "text" as const, value: text };
  const parts = [{ content, metadata: undefined, filename: "", mediaType: "" }];
  return {
    ...{ messageId, contextId, taskId, role: Role.ROLE_USER, parts },
    ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
  };
}

const textIn = (
  parts: readonly { content?: { $case: string; value?: unknown } | undefined }[] = [],
): string => parts.map(({ content }) => (content?.$case === "text" ? String(content.value) : "")).join("");

/** The answer, the question or what waits. */
export function textOf(task: Pick<Task, "artifacts" | "status">): string {
  return task.artifacts.map(({ parts }) => textIn(parts)).join("") || textIn(task.status?.message?.parts);
}

const ANSWERED: ReadonlySet<TaskState | undefined> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_INPUT_REQUIRED,
  TaskState.TASK_STATE_AUTH_REQUIRED,
]);

/** Not every stream that ends has come to its end, and not every task is done. */
function refuseUnanswered(status: TaskStatus | undefined, metadata: object | undefined): void {
  if (ANSWERED.has(status?.state)) return;
  const { code } = Object(Reflect.get(Object(metadata), "interlock/error"));
  throw Object.assign(new Error("not answered"), { data: { code } });
}

function peer(binding: Binding): Peer {
  const asked = ({ service, session, message: text, headers }: PeerAsk) => ({
    tenant: "",
    // Asked again it is the same message.
    message: message(text, { contextId: session, messageId: headers["idempotency-key"] ?? randomUUID() }),
    configuration: undefined,
    metadata: service === undefined ? undefined : { "interlock/service": service },
  });
  const using = async (ask: PeerAsk, work: (client: Client) => Promise<string>): Promise<string> => {
    let refused: Refused | undefined;
    const client = await a2aClient(ask, { binding, onRefused: (one) => (refused = one) });
    try {
      return await work(client);
    } catch (error) {
      throw refused ? Object.assign(new Error("refused"), refused) : error;
    }
  };
  return {
    name: `A2A, ${binding}`,
    streams: true,
    goesOn: true,
    refusal: (status, code) => ({ status, code }),
    ask: (ask) =>
      using(ask, async (client) => {
        const answer = await client.sendMessage(asked(ask), ask.signal ? { signal: ask.signal } : {});
        if (!("status" in answer)) throw new Error("a message is no task");
        refuseUnanswered(answer.status, answer.metadata);
        return textOf(answer);
      }),
    stream: (ask, onBegun) =>
      using(ask, async (client) => {
        let status: TaskStatus | undefined;
        let metadata: object | undefined;
        let text = "";
        for await (const { payload } of client.sendMessageStream(
          asked(ask),
          ask.signal ? { signal: ask.signal } : {},
        )) {
          onBegun?.();
          if (payload?.$case === "artifactUpdate") text += textIn(payload.value.artifact?.parts);
          if (payload?.$case === "statusUpdate") ({ status, metadata } = payload.value);
        }
        refuseUnanswered(status, metadata);
        return text || textIn(status?.message?.parts);
      }),
  };
}

export const A2A_PEERS: readonly Peer[] = [peer("JSONRPC"), peer("HTTP+JSON")];
