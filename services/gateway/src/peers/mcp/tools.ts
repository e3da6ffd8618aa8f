import { compileSchema } from "@interlock/contracts";
import type { Tool } from "@modelcontextprotocol/server";
import type { Caller } from "../../caller.ts";
import { mayAsk, type NamedTask } from "../../conversation/index.ts";
import { toolName } from "../../events/index.ts";
import { valid } from "../../http/index.ts";
import { ID_PATTERN } from "../../ids.ts";
import { mayChange, type Service } from "../../mesh/index.ts";
import { servicesFor } from "../peer.ts";
import type { McpDeps } from "./deps.ts";

/** What a tool stands for. Without a service the gateway chooses one. */
export type Stands = { kind: "service"; service?: string } | ({ kind: "task" } & NamedTask);

export type Offered = { tool: Tool; stands: Stands };

/** Most examples that a description has. */
const MOST_EXAMPLES = 3;
/** What clients take as the name of a tool. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

const SERVICE_INPUTS: Tool["inputSchema"] = {
  type: "object",
  properties: {
    message: { type: "string", minLength: 1, description: "What is asked, in the user's own words." },
    session_id: {
      type: "string",
      pattern: ID_PATTERN.source,
      description: "The conversation to go on with: that of an earlier answer. Without it one begins.",
    },
  },
  required: ["message"],
  additionalProperties: false,
};

const SERVICE_OUTPUTS: Tool["inputSchema"] = {
  type: "object",
  properties: {
    run_id: { type: "string" },
    session_id: { type: "string", description: "Goes on with the conversation." },
    status: {
      enum: ["ok", "rejected", "paused"],
      description: "paused: a person has to approve first, at the link. rejected: a step was left out.",
    },
    text: { type: "string" },
    approval: {
      type: "object",
      properties: { id: { type: "string" }, url: { type: "string" } },
      required: ["id", "url"],
    },
    buttons: { type: "array", items: { type: "string" }, description: "Likely answers of the user." },
    warnings: { type: "array", items: { type: "string" } },
    outputs: { type: "object" },
    sample: { type: "boolean", description: "Made from a sample, not from the user's data." },
  },
  required: ["run_id", "session_id", "status", "text"],
};

const serviceInputs = compileSchema<{ message: string; session_id?: string }>(SERVICE_INPUTS);

/** @throws GatewayError invalid_request */
export const readServiceInputs = (args: unknown): { message: string; session_id?: string } =>
  valid(serviceInputs, args);

/** The tools that a caller may call, by name: what is not among them does not exist for the caller. */
export function toolsFor(caller: Caller, deps: McpDeps): ReadonlyMap<string, Offered> {
  const offered = new Map<string, Offered>();
  const add = (one: Offered) => {
    const { name } = one.tool;
    if (NAME.test(name) && !offered.has(name)) offered.set(name, one);
  };
  const services = servicesFor(caller, deps);
  if (services.length > 0) add(anyService(services, deps));
  for (const service of services) add(serviceTool(service, deps));
  // What an agent of somebody else does to the world is not known.
  const agents = [...deps.mesh.agents.values()].filter(({ protocol }) => protocol === undefined);
  for (const { taskDescriptions } of deps.offersTasks ? agents : [])
    for (const [task, description] of Object.entries(taskDescriptions)) {
      const may = (agent: string) => mayAsk(caller, { agent, task }, deps);
      const agent = deps.registry.agentFor(task, may)?.name;
      if (agent !== undefined) add(taskTool({ agent, task }, description, deps));
    }
  return offered;
}

function anyService(services: readonly Service[], { mesh }: McpDeps): Offered {
  const acts = services.some((service) => mayChange(service, mesh));
  return {
    stands: { kind: "service" },
    tool: {
      name: "ask",
      title: "Ask",
      description: "Ask whichever service the message is for.",
      ...serviceSchemas(acts),
    },
  };
}

function serviceTool(service: Service, { mesh }: McpDeps): Offered {
  const { name, label, description = "", examples } = service;
  const shown = examples.slice(0, MOST_EXAMPLES).map((example) => `"${example}"`);
  const about = [description, shown.length > 0 ? `For example: ${shown.join(", ")}.` : ""];
  return {
    stands: { kind: "service", service: name },
    tool: {
      name: `ask_${name}`,
      title: label?.en ?? name,
      description: about.filter((part) => part !== "").join(" ") || `Ask the service ${name}.`,
      ...serviceSchemas(mayChange(service, mesh)),
    },
  };
}

const serviceSchemas = (acts: boolean): Pick<Tool, "inputSchema" | "outputSchema" | "annotations"> => ({
  inputSchema: SERVICE_INPUTS,
  outputSchema: SERVICE_OUTPUTS,
  annotations: { readOnlyHint: !acts, destructiveHint: acts },
});

function taskTool({ agent, task }: NamedTask, description: string, { registry }: McpDeps): Offered {
  const { inputs, outputs } = registry.schemas(agent, task);
  return {
    stands: { kind: "task", agent, task },
    tool: {
      name: toolName(task),
      description,
      inputSchema: inputs ?? { type: "object" },
      ...(outputs ? { outputSchema: outputs } : {}),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    },
  };
}
