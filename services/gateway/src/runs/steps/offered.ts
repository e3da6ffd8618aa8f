import { type Callee, toolCallee } from "../../callees/index.ts";
import { toolName } from "../../events/index.ts";
import { type McpToolRule, type RoundsStep, ruleOfTask } from "../../mesh/index.ts";
import { agentCallee } from "./agent-callee.ts";
import { actorOf } from "./ask-agent.ts";
import type { StepDeps, StepScope } from "./step-kind.ts";

/** What a model may choose to call, and what the manifest says of it. */
export type Offered = { callee: Callee; rule: McpToolRule };

/**
 * The callees of a tool-calling service that its caller may use, by names that models take: the one place where rounds meet protocols. One
 * that acts is among them where the manifest says how.
 */
export function offeredTo(step: RoundsStep, scope: StepScope, deps: StepDeps): ReadonlyMap<string, Offered> {
  const { run, order, mesh } = scope;
  const caller = actorOf(order, run.keys.tenant);
  const tools = deps.tools();
  const found: Offered[] = [];
  const isNamed = (name: string) =>
    step.tools.some((one) => one === name || (one.endsWith(".*") && name.startsWith(one.slice(0, -1))));
  for (const { name, server } of tools.list(caller)) {
    const tool = isNamed(name) ? tools.find(caller, name) : undefined;
    const rule = mesh.tools.servers.get(server)?.tools.get(name.slice(server.length + 1)) ?? {};
    if (tool && (tool.reads || rule.effect !== undefined))
      found.push({ callee: toolCallee(tool, tools), rule });
  }
  for (const { name: agent, taskDescriptions } of mesh.agents.values())
    for (const [task, description] of Object.entries(taskDescriptions)) {
      const name = toolName(task);
      if (!step.tools.includes(name) || !deps.may(caller, { kind: "task", agent, task })) continue;
      const rule = ruleOfTask({ agent, task }, mesh);
      if (!rule) continue;
      const { reads = true } = rule;
      found.push({ callee: agentCallee({ name, description, agent, task, reads }, scope, deps), rule });
    }
  for (const name of step.tools) {
    const callee = deps.flowCallee(name, scope, deps);
    const { orders } = mesh.services.get(name) ?? {};
    if (callee) found.push({ callee, rule: orders ? { orders } : {} });
  }
  const byAlias = new Map<string, Offered>();
  for (const one of found) byAlias.set(aliasOf(one.callee.name, byAlias), one);
  return byAlias;
}

/** Names of functions have letters, digits, `_` and `-`, 64 of them at most. */
function aliasOf(name: string, taken: ReadonlyMap<string, unknown>): string {
  const alias = name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 60);
  for (let at = 1; ; at++) {
    const one = at === 1 ? alias : `${alias}_${at}`;
    if (!taken.has(one)) return one;
  }
}
