import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type AgentCard, type Message, Role, TaskState } from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";

/** What an agent of somebody else got and was told. */
export type ForeignAgent = {
  url: string;
  asked: Message[];
  /** Tasks that were cancelled, as they come. */
  nextCancelled(): Promise<string>;
  stop(): Promise<void>;
};

const text = (value: string) => ({
  content: { $case: "text" as const, value },
  ...{ metadata: undefined, filename: "", mediaType: "" },
});
const data = (value: object) => ({
  content: { $case: "data" as const, value },
  ...{ metadata: undefined, filename: "", mediaType: "" },
});

/** What a message says. */
export const wordsOf = ({ parts }: Message): string =>
  parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("");

/**
 * An agent by the protocol's own library, which does what the message says: `ask`, `fail`, `need rights`, `leave` (its stream ends early), `cut` (its connections
 * break), `hang` until it is cancelled; anything else is answered.
 */
export async function foreignAgent(): Promise<ForeignAgent> {
  const asked: Message[] = [];
  const sockets = new Set<Socket>();
  const cancelled: string[] = [];
  const waiting: ((id: string) => void)[] = [];
  const hanging = new Map<string, () => void>();
  const executor: AgentExecutor = {
    async execute({ userMessage, taskId, contextId, task }: RequestContext, bus: ExecutionEventBus) {
      asked.push(userMessage);
      const said = (words: string): Message => ({
        ...{
          messageId: `${taskId}-${words}`,
          contextId,
          taskId,
          role: Role.ROLE_AGENT,
          parts: [text(words)],
        },
        ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
      });
      const status = (state: TaskState, words?: string) => ({
        state,
        message: words === undefined ? undefined : said(words),
        timestamp: new Date().toISOString(),
      });
      const update = (state: TaskState, words?: string) =>
        bus.publish(
          AgentEvent.statusUpdate({ taskId, contextId, status: status(state, words), metadata: undefined }),
        );
      // The first event of every turn is the task.
      const begun = task ?? {
        ...{ id: taskId, contextId, artifacts: [], history: [userMessage], metadata: undefined },
      };
      bus.publish(AgentEvent.task({ ...begun, status: status(TaskState.TASK_STATE_SUBMITTED) }));
      update(TaskState.TASK_STATE_WORKING, "Looking.");
      const words = wordsOf(userMessage);
      if (words === "hang") return await new Promise<void>((resolve) => hanging.set(taskId, resolve));
      // The library ends the stream as if that were an answer.
      if (words === "leave") return;
      if (words === "cut") {
        setImmediate(() => {
          for (const socket of sockets) socket.destroy();
        });
        return await new Promise<void>((resolve) => hanging.set(taskId, resolve));
      }
      if (words === "ask") update(TaskState.TASK_STATE_INPUT_REQUIRED, "Where to?");
      else if (words === "fail") update(TaskState.TASK_STATE_FAILED, "No trip can be booked.");
      else if (words === "need rights") update(TaskState.TASK_STATE_AUTH_REQUIRED, "Sign in.");
      else {
        const artifact = {
          ...{ artifactId: "answer", name: "answer", description: "", metadata: undefined, extensions: [] },
          parts: [text(`Booked: ${words}.`), data({ seats: 2 })],
        };
        bus.publish(
          AgentEvent.artifactUpdate({
            ...{ taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined },
          }),
        );
        update(TaskState.TASK_STATE_COMPLETED);
      }
      bus.finished();
    },
    async cancelTask(taskId, bus) {
      const waiter = waiting.shift();
      if (waiter) waiter(taskId);
      else cancelled.push(taskId);
      const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: undefined };
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId: "", status, metadata: undefined }));
      bus.finished();
      hanging.get(taskId)?.();
    },
  };
  const app = express();
  const server = createServer(app);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/agent`;
  const handler = new DefaultRequestHandler(cardOf(url), new InMemoryTaskStore(), executor);
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: handler }));
  app.use("/agent", jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));
  return {
    ...{ url, asked },
    async nextCancelled() {
      const first = cancelled.shift();
      return first ?? (await new Promise<string>((resolve) => waiting.push(resolve)));
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function cardOf(url: string): AgentCard {
  const skill = (id: string) => ({
    ...{ id, name: id, description: id, tags: ["trips"], examples: [], inputModes: [], outputModes: [] },
    securityRequirements: [],
  });
  return {
    ...{ name: "Trips", description: "Books trips.", version: "1", provider: undefined },
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", tenant: "", protocolVersion: "1.0" }],
    capabilities: { streaming: true, pushNotifications: false, extensions: [] },
    ...{ securitySchemes: {}, securityRequirements: [], signatures: [] },
    ...{ defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"] },
    skills: [skill("book-trip"), skill("plan-trip")],
  };
}
