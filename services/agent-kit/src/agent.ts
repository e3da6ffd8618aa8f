import { type AgentCard, agentContract } from "@interlock/contracts";
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from "express";
import { Core } from "./core.ts";
import { Refused } from "./errors.ts";
import { streamChannel, syncChannel } from "./http/channel.ts";
import { runEndpoint } from "./http/endpoint.ts";
import { createInFlight, type InFlight } from "./http/in-flight.ts";
import { asRefused, sendJson, sendRefusal } from "./http/respond.ts";
import { memoryStore } from "./idempotency/memory-store.ts";
import { createLog } from "./log.ts";
import { addProcessMetrics } from "./metrics.ts";
import { compileTasks, describeTask, type Task } from "./runs/tasks.ts";
import type { Agent, AgentDefinition, AgentSettings } from "./types.ts";

/** How long aborted runs may take to send their terminal event. */
const FLUSH_MS = 1000;

function cardOf(definition: AgentDefinition, tasks: Iterable<Task>): AgentCard {
  const { name, version, description, limits } = definition.card;
  const card: unknown = {
    name,
    version,
    ...(description === undefined ? {} : { description }),
    contract: "agent/v1",
    task_types: [...tasks].map(describeTask),
    ...(limits === undefined ? {} : { limits }),
  };
  const checked = agentContract.card(card);
  if (!checked.ok) throw new Error(`the card is not valid: ${checked.problem.message}`);
  return checked.value;
}

function refuseMethod(allow: string): RequestHandler {
  return (_req, res) => {
    res.setHeader("Allow", allow);
    sendRefusal(res, "", new Refused("METHOD_NOT_ALLOWED"));
  };
}

function createApp(core: Core, card: AgentCard, inFlight: InFlight): express.Application {
  const cardText = JSON.stringify(card);
  const healthy = JSON.stringify({ status: "ok" });
  const ready = JSON.stringify({ status: "ready" });
  const draining = JSON.stringify({ status: "draining" });

  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  app.use((_req, res, next) => {
    inFlight.add(res);
    next();
  });

  const get = (path: string, handler: (req: Request, res: Response) => void | Promise<void>): void => {
    app.get(path, handler);
    app.all(path, refuseMethod("GET, HEAD"));
  };
  const post = (path: string, handler: RequestHandler): void => {
    app.post(path, handler);
    app.all(path, refuseMethod("POST"));
  };

  post("/agents/run/sync", runEndpoint(core, syncChannel));
  post("/agents/run/stream", runEndpoint(core, streamChannel));
  get("/agents/card", (_req, res) => sendJson(res, 200, cardText));
  get("/health", (_req, res) => sendJson(res, 200, healthy));
  get("/health/ready", (_req, res) =>
    core.draining ? sendJson(res, 503, draining) : sendJson(res, 200, ready),
  );
  get("/metrics", async (_req, res) => {
    res.setHeader("Content-Type", core.metrics.registry.contentType);
    res.end(await core.metrics.registry.metrics());
  });

  app.use((_req, res) => sendRefusal(res, "", new Refused("NOT_FOUND")));
  // Express itself only fails on malformed URLs, with status 400. Anything else is a defect of ours.
  const onError: ErrorRequestHandler = (error, _req, res, _next) => {
    const isClients = typeof error === "object" && error !== null && error.status === 400;
    const refused = isClients
      ? new Refused("INVALID_REQUEST", "The address is not valid.")
      : asRefused(error);
    if (!isClients) core.settings.log.defect(error, {});
    sendRefusal(res, "", refused);
  };
  app.use(onError);
  return app;
}

function defaultSettings(definition: AgentDefinition): AgentSettings {
  return {
    log: createLog({ agent: definition.card.name }),
    maxConcurrent: 128,
    idempotency: memoryStore(),
    keepaliveMs: 15_000,
    stallMs: 60_000,
  };
}

/** @throws Error if the card or a schema is not valid */
export function createAgent(definition: AgentDefinition, settings: Partial<AgentSettings> = {}): Agent {
  const tasks = compileTasks(definition.tasks);
  const card = cardOf(definition, tasks.values());
  const core = new Core(definition.card, tasks, { ...defaultSettings(definition), ...settings });
  const inFlight = createInFlight();
  return {
    app: createApp(core, card, inFlight),
    card,
    get log() {
      return core.settings.log;
    },
    collectProcessMetrics: () => addProcessMetrics(core.metrics),
    close: () => core.settings.idempotency.close(),
    configure(changes) {
      core.settings = { ...core.settings, ...changes };
    },
    async drain(graceMs) {
      core.draining = true;
      if (await inFlight.isEmptyWithin(graceMs)) return;
      core.callers.cancelAll();
      await inFlight.isEmptyWithin(FLUSH_MS);
    },
  };
}
