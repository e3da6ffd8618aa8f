import { UpstreamError } from "../../agents/index.ts";
import { toolCallee } from "../../callees/index.ts";
import { GatewayError } from "../../errors.ts";
import { JsonText } from "../../json-text.ts";
import type { ToolStep } from "../../mesh/index.ts";
import { type StepResult, writeResult } from "../../store/index.ts";
import { parentsOf } from "../lineage.ts";
import { asInputs, judgedInputs } from "./agent.ts";
import { actorOf } from "./ask-agent.ts";
import { makeCall } from "./calls.ts";
import { Patience } from "./patience.ts";
import { finishedEvent } from "./step-events.ts";
import type { StepAbout, StepDeps, StepKind, StepScope } from "./step-kind.ts";
import { shownWhole, wholeOutputs } from "./whole-outputs.ts";

/** Calls a tool of an MCP server, once, and journals its result. */
export const tool: StepKind<ToolStep> = { asksAgent: true, about: aboutTool, execute };

function aboutTool({ tool }: ToolStep): StepAbout {
  const at = tool.indexOf(".");
  return { agent: tool.slice(0, at), task_type: tool.slice(at + 1) };
}

async function execute(step: ToolStep, scope: StepScope, deps: StepDeps): Promise<StepResult> {
  const { run, order, context, signal, calls } = scope;
  const started = performance.now();
  const inputs =
    step.effect === undefined
      ? asInputs(await step.inputs(context, signal))
      : await judgedInputs(step, scope);
  if (inputs instanceof JsonText)
    throw new GatewayError("flow_failed", "The arguments of the tool are too large.");
  const tools = deps.tools();
  const found = tools.find(actorOf(order, run.keys.tenant), step.tool);
  if (!found) throw new GatewayError("flow_failed", `There is no tool "${step.tool}" for this caller.`);
  const callee = toolCallee(found, tools);
  if (!callee.reads && step.effect === undefined)
    throw new GatewayError("flow_failed", `The tool "${step.tool}" acts, and its step has no \`effect\`.`);
  const wrong = await callee.judge(inputs, signal);
  if (wrong !== undefined)
    throw new GatewayError("flow_failed", `The arguments of "${step.tool}" are wrong: ${wrong}.`);
  const key = `${step.id}.1.1`;
  // Other steps are rounds before this one.
  const earlier = step.needs.flatMap((id) => calls[`${id}.1.1`] ?? []);
  const parents = parentsOf(
    inputs,
    earlier.map((one) => ({ ...one, record: { ...one.record, round: 1 } })),
    { round: 2, message: order.message },
  );
  const planned = {
    ...{ key, node: step.id, round: 1, args: inputs, parents, effect: step.effect },
    ...(order.target.kind === "flow" ? { patience: new Patience(step) } : {}),
  };
  const made = await makeCall(callee, planned, scope, deps);
  const { outcome, code } = made.record;
  if (outcome !== "ok")
    throw new UpstreamError({
      code: outcome === "error" ? "upstream_failed" : "upstream_unavailable",
      ...{ reason: code ?? "tool_failed", agent: callee.about.agent },
      ...(outcome === "error" ? { message: "The tool reports that it failed." } : {}),
    });
  const outputs = Object(made.output) as object;
  const result: StepResult = { outputs, warnings: [] };
  if (step.keep) result.kept = await step.keep({ ...context, inputs, outputs, rounds: 1 }, signal);
  if (step.show === wholeOutputs) result.outputs = await shownWhole(outputs);
  const event = await finishedEvent(step, aboutTool(step), result, started);
  await run.journal(step.id, writeResult(result).join(""), event);
  return result;
}
