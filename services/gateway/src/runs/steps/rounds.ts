import type { Callee } from "../../callees/index.ts";
import { GatewayError } from "../../errors.ts";
import { type ApprovalRule, ConditionError, type McpToolRule, type RoundsStep } from "../../mesh/index.ts";
import {
  type JournaledCall,
  type JournaledRound,
  roundField,
  type StepResult,
  writeResult,
} from "../../store/index.ts";
import { parentsOf } from "../lineage.ts";
import type { Round } from "../rounds-model.ts";
import { CallWaits } from "./call-waits.ts";
import { makeCall, type PlannedCall, refuseCall, repeatCall, signatureOf } from "./calls.ts";
import { type Offered, offeredTo } from "./offered.ts";
import { finishedEvent, startedEvent } from "./step-events.ts";
import type { StepAbout, StepDeps, StepKind, StepScope } from "./step-kind.ts";

/**
 * Has a model answer with the help of tools. Each round asks it once, and makes the calls that it wants. What it said and what calls came to
 * is journaled, so that whoever carries the run on asks and calls nothing again.
 */
export const rounds: StepKind<RoundsStep> = { asksAgent: false, about: aboutRounds, execute };

function aboutRounds({ service }: RoundsStep): StepAbout {
  return { agent: service, task_type: "ROUNDS" };
}

/** Entries of the conversation that the model reads. */
const HISTORY = 20;
/** Calls of one round. */
const MOST_CALLS = 16;
/** Characters of a result that a model reads. */
const MOST_READ = 8_000;
const DAY_S = 86_400;
/** Arguments whose places are compared, two by two. */
const MOST_EXCHANGED = 6;

async function execute(step: RoundsStep, scope: StepScope, deps: StepDeps): Promise<StepResult> {
  const { run, order, signal } = scope;
  const about = aboutRounds(step);
  const started = performance.now();
  const model = deps.roundsModel();
  if (!model.asks({ step, order, run }))
    throw new GatewayError(
      "AGT_002",
      `The service "${step.service}" answers with a model, and this mesh has none for it.`,
    );
  if (!scope.rounds[`${step.id}.1`]) await run.append(startedEvent(step.id, about, run.fence));
  const result = await new Rounds(step, scope, deps).answer();
  signal.throwIfAborted();
  const event = await finishedEvent(step, about, result, started);
  await run.journal(step.id, writeResult(result).join(""), event);
  return result;
}

class Rounds {
  readonly #step: RoundsStep;
  readonly #scope: StepScope;
  readonly #deps: StepDeps;
  /** By the name that the model knows. */
  readonly #tools: ReadonlyMap<string, Offered>;
  readonly #told: Round[] = [];

  constructor(step: RoundsStep, scope: StepScope, deps: StepDeps) {
    this.#step = step;
    this.#scope = scope;
    this.#deps = deps;
    this.#tools = offeredTo(step, scope, deps);
  }

  async answer(): Promise<StepResult> {
    const { maxRounds } = this.#step;
    for (let round = 1; ; round++) {
      const said = await this.#said(round);
      if (said.calls.length === 0) return await this.#result(said, round, false);
      // Whoever wants more than there is gets what there was.
      if (round >= maxRounds) return await this.#result(said, round, true);
      const results = await this.#called(said, round);
      if (!results) return await this.#result(said, round, true);
      this.#told.push({ said, results });
    }
  }

  /** What the model says in a round, as the journal has it or by asking. */
  async #said(round: number): Promise<JournaledRound> {
    const { run, order, signal, rounds, lineage } = this.#scope;
    const key = `${this.#step.id}.${round}`;
    const known = rounds[key];
    if (known) return known;
    const history = await this.#deps.sessions.latest(run.keys, run.sessionId, HISTORY);
    const tools = Array.from(this.#tools, ([name, { callee }]) => ({
      ...{ name, description: callee.description, parameters: callee.parameters },
    }));
    const asked = { step: this.#step, order, run, history, tools, rounds: this.#told, signal };
    const { text, calls, model } = await this.#deps.roundsModel().next(asked);
    const said: JournaledRound = { text, calls: calls.slice(0, MOST_CALLS), model };
    rounds[key] = said;
    const data = { stage: "round", round, max_rounds: this.#step.maxRounds, calls: said.calls.length };
    const field = roundField(key);
    await run.journal(field, lineage.write(said, run.id, field), {
      type: "progress",
      node: this.#step.id,
      data,
    });
    return said;
  }

  /** Makes the calls of a round: those that read at once, then those that act, one after another. @returns undefined where it asks in circles */
  async #called(said: JournaledRound, round: number): Promise<Round["results"] | undefined> {
    const earlier = this.#calls();
    const planned = said.calls.map(({ id, name, input }, at) => {
      const args = typeof input === "object" && input !== null && !Array.isArray(input) ? { ...input } : {};
      const { message } = this.#scope.order;
      const key = `${this.#step.id}.${round}.${at + 1}`;
      const parents = parentsOf(args, earlier, { round, message });
      return {
        id,
        name,
        known: this.#tools.get(name),
        call: { key, node: this.#step.id, round, args, parents },
      };
    });
    const inCircles = planned.some(
      ({ known, call }) => known?.callee.reads && this.#repeats(known.callee, call) > 1,
    );
    if (inCircles) return undefined;
    const results = new Map<string, JournaledCall>();
    const finish = async ({ name, known, call }: (typeof planned)[number]) => {
      results.set(call.key, await this.#call(name, known, call));
    };
    const acts = planned.filter(({ known }) => known && !known.callee.reads);
    const first = new Map(planned.toReversed().map((one) => [signatureOf(one.name, one.call.args), one]));
    const reads = new Set([...first.values()].filter((one) => !acts.includes(one)));
    await Promise.all([...reads].map(finish));
    // Equal reads find the result of the first one.
    for (const one of planned.filter((one) => !reads.has(one) && !acts.includes(one))) await finish(one);
    for (const one of acts) await finish(one);
    return planned.map(({ id, name, call }) => ({ id, name, text: textFor(results.get(call.key)) }));
  }

  async #call(name: string, known: Offered | undefined, call: PlannedCall): Promise<JournaledCall> {
    const scope = this.#scope;
    if (!known) {
      const none = { name, about: { agent: this.#step.service, task_type: name.slice(0, 128) }, reads: true };
      const text = "There is no such tool. Use one of those that you were given.";
      return await refuseCall(none, call, { outcome: "refused", code: "unknown_tool", text }, scope);
    }
    const { callee, rule } = known;
    const wrong = scope.calls[call.key] ? undefined : await callee.judge(call.args, scope.signal);
    if (wrong !== undefined) {
      const text = `The arguments are wrong: ${wrong}. Correct them, or answer without.`;
      return await refuseCall(
        callee,
        call,
        { outcome: "invalid_arguments", code: "invalid_arguments", text },
        scope,
      );
    }
    if (!callee.reads) return await this.#act(callee, rule, call);
    const before = this.#equalBefore(callee, call).at(-1);
    if (before) return await repeatCall(callee, call, before, scope);
    return await makeCall(callee, call, scope, this.#deps);
  }

  /** A call that changes something: it was approved, or needs no approval, or waits. @throws CallWaits */
  async #act(callee: Callee, rule: McpToolRule, call: PlannedCall): Promise<JournaledCall> {
    const { decisions, calls } = this.#scope;
    const known = calls[call.key];
    if (known) return known;
    const decision = decisions[call.key];
    if (decision && decision.decision !== "approved") {
      const text = `This was not done: its approval was ${decision.decision}. Do not ask for it again.`;
      const refused = { ...call, approvalId: decision.approval_id };
      return await refuseCall(
        callee,
        refused,
        { outcome: "refused", code: decision.decision, text },
        this.#scope,
      );
    }
    const isFree = decision || callee.gatesItself || this.#scope.begun.has(call.key);
    if (!isFree && (await this.#needsApproval(callee, rule, call)))
      throw new CallWaits(gateOf(this.#step, rule, call.key), {
        proposal: { tool: callee.name, arguments: call.args },
        unseen: [],
      });
    // Exactly what was approved.
    const { arguments: approved }: { arguments?: unknown } = Object(decision?.proposal);
    const args = typeof approved === "object" && approved !== null ? { ...approved } : call.args;
    const acting: PlannedCall = {
      ...{ ...call, args, effect: rule.effect },
      ...(decision ? { approvalId: decision.approval_id } : {}),
    };
    return await makeCall(callee, acting, this.#scope, this.#deps);
  }

  async #needsApproval(callee: Callee, rule: McpToolRule, { args }: PlannedCall): Promise<boolean> {
    const { order, context, signal } = this.#scope;
    const { name } = callee;
    const { orders, approval } = rule;
    const isSaid = orders && this.#deps.roundsModel().isOrder(order.message, orders);
    if (isSaid && saysAll(order.message, args) && !(await isExchangeable(callee, args, signal))) return false;
    if (approval?.when === undefined) return true;
    try {
      const { request } = context;
      return (await approval.when({ arguments: args, request, tool: name }, signal)) !== false;
    } catch (error) {
      if (error instanceof ConditionError) return true;
      throw error;
    }
  }

  /** This step's calls, in the order in which they were planned. */
  #calls(): JournaledCall[] {
    return Object.values(this.#scope.calls)
      .filter(({ record }) => record.node === this.#step.id)
      .toSorted((one, other) => one.record.id.localeCompare(other.record.id, "en", { numeric: true }));
  }

  /** Equal reads with a result since the last call that changed something; in a round, that comes after what reads. */
  #equalBefore(callee: Callee, { args, round, key }: PlannedCall): JournaledCall[] {
    const before = this.#calls().filter(({ record }) => record.round <= round && record.id !== key);
    const acted = Math.max(0, ...before.flatMap(({ acts, record }) => (acts ? record.round : [])));
    const signature = signatureOf(callee.name, args);
    return before.filter(
      (one) => one.record.round > acted && one.signature === signature && one.record.outcome === "ok",
    );
  }

  /** Rounds before that have an equal read. */
  #repeats(callee: Callee, call: PlannedCall): number {
    const rounds = this.#equalBefore(callee, call).map(({ record }) => record.round);
    return new Set(rounds.filter((round) => round < call.round)).size;
  }

  async #result({ text, model }: JournaledRound, round: number, exceeded: boolean): Promise<StepResult> {
    const { order } = this.#scope;
    const calls = this.#calls();
    // The latest first: what is read of them all is bounded, and the answer is mostly about those.
    const given = [order.message, ...calls.toReversed().map(({ text }) => text.slice(0, MOST_READ))];
    const held = await this.#deps.roundsModel().held(text, given);
    const warnings: string[] = [];
    if (exceeded)
      warnings.push(
        `rounds_exceeded: the model wanted more calls after ${round} rounds; this is what there is.`,
      );
    if (held.leftOut > 0)
      warnings.push(`Sentences of the model whose numbers stand in no result: ${held.leftOut}, left out.`);
    return {
      text: held.text === "" ? soFar(calls) : held.text,
      warnings,
      rounds: round,
      model,
      ...(exceeded ? { exceeded: true } : {}),
    };
  }
}

/** What there is, where a model has said nothing that may be said. */
function soFar(calls: readonly JournaledCall[]): string {
  const lines = calls.map(({ record: { tool_name, outcome, result_summary } }) =>
    outcome === "ok" ? `- ${tool_name}: ${result_summary ?? ""}` : `- ${tool_name}: no result`,
  );
  return lines.length === 0 ? "There is no answer." : ["What there is so far:", ...lines].join("\n");
}

function textFor(call: JournaledCall | undefined): string {
  if (!call) return "";
  const { text, record } = call;
  const cut =
    text.length > MOST_READ
      ? `${text.slice(0, MOST_READ)}\n… ${text.length - MOST_READ} characters more`
      : text;
  if (record.outcome === "error") return `The tool failed: ${cut}`;
  if (record.outcome === "failed") return `There is no result: ${cut}`;
  return record.cached === "run" ? `You have asked this before. The result is the same:\n${cut}` : cut;
}

/** The step that waits is the call alone. */
function gateOf(step: RoundsStep, { approval }: McpToolRule, key: string): RoundsStep {
  const rule: ApprovalRule = {
    ...{ roles: [], fourEyes: false, expiresInS: DAY_S, warnBeforeS: DAY_S / 10 },
    ...{ onExpiry: "reject", escalateTo: [] },
    ...approval,
    proposal: async (context) => Reflect.get(Object(context), "proposal"),
  };
  return { ...step, id: key, approval: rule };
}

/** Whether a message has each value of the arguments: none of them is somebody else's. */
function saysAll(message: string, args: PlannedCall["args"]): boolean {
  const plain = (text: string) =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/(?<=\d),(?=\d{3})/g, "");
  const said = plain(message);
  const holds = (text: string) => {
    const at = said.indexOf(text);
    const around = [said[at - 1] ?? " ", said[at + text.length] ?? " "];
    return at >= 0 && around.every((one) => !/[\p{L}\p{N}]/u.test(one));
  };
  return Object.values(args).every(
    (value) => (typeof value === "string" || typeof value === "number") && holds(plain(String(value))),
  );
}

/**
 * Whether two of the values could have each other's place: a message has both "from" and "to", and only the model has said which is which.
 * Where it would be no valid call, nobody can have meant it.
 */
async function isExchangeable(
  callee: Callee,
  args: PlannedCall["args"],
  signal: AbortSignal,
): Promise<boolean> {
  const entries = Object.entries(args);
  if (entries.length > MOST_EXCHANGED) return true;
  for (const [at, [one, mine]] of entries.entries())
    for (const [other, theirs] of entries.slice(at + 1)) {
      if (typeof mine !== typeof theirs || mine === theirs) continue;
      if ((await callee.judge({ ...args, [one]: theirs, [other]: mine }, signal)) === undefined) return true;
    }
  return false;
}
