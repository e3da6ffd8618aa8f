import { setImmediate as nextTurn } from "node:timers/promises";
import { agentContract, type DialogueAnswer, type DialogueTurn } from "@interlock/contracts";
import { type AgentEvent, brokenContract, type OutputsProblem } from "../../agents/index.ts";
import { GatewayError } from "../../errors.ts";
import { JsonText, lessSizeOf, writeJson } from "../../json-text.ts";
import type { DialogueStep } from "../../mesh/index.ts";
import { type Dialogue, dialogueFields, type StepResult } from "../../store/index.ts";
import { askAgent, type Question } from "./ask-agent.ts";
import { finishedEvent, startedEvent } from "./step-events.ts";
import type { StepAbout, StepDeps, StepKind, StepScope } from "./step-kind.ts";

/** Takes one turn of a dialogue: gives the agent what the session keeps of it, and has the run's end keep what the agent answers. */
export const dialogue: StepKind<DialogueStep> = {
  asksAgent: true,
  about: aboutDialogue,
  execute,
};

function aboutDialogue({ agent, taskType }: DialogueStep): StepAbout {
  return { agent, task_type: taskType };
}

/** Entries of a session that are read beyond those that the agent gets: messages that wait behind this one are among the latest. */
const WAITING = 50;

async function execute(step: DialogueStep, scope: StepScope, deps: StepDeps): Promise<StepResult> {
  const { run, signal } = scope;
  if (run.announced !== step.id) await run.append(startedEvent(step.id, aboutDialogue(step), run.fence));
  const started = performance.now();
  const turn = await Turn.begin(step, scope, deps);
  const result = await turn.take();
  signal.throwIfAborted();
  await run.append(await finishedEvent(step, aboutDialogue(step), result, started));
  return result;
}

/** One turn: the session's dialogue as it stands, and as the agent says that it stands from then on. */
class Turn {
  readonly #step: DialogueStep;
  readonly #scope: StepScope;
  readonly #deps: StepDeps;
  readonly #history: DialogueTurn["history"];
  readonly #locale: string;
  /** What the session keeps; undefined where the dialogue begins. */
  #kept: Dialogue | undefined;
  /** Whether the session keeps a state that the agent told of in the middle of this turn. */
  #told = false;
  #end: { answer: DialogueAnswer; next: Dialogue } | undefined;

  private constructor(
    step: DialogueStep,
    scope: StepScope,
    deps: StepDeps,
    found: { kept: Dialogue | undefined; history: DialogueTurn["history"] },
  ) {
    this.#step = step;
    this.#scope = scope;
    this.#deps = deps;
    this.#kept = found.kept;
    this.#history = found.history;
    this.#locale = scope.order.locale ?? found.kept?.locale ?? "en";
  }

  /** Read the state only now: while this run was queued, the run before it has changed it. */
  static async begin(step: DialogueStep, scope: StepScope, deps: StepDeps): Promise<Turn> {
    const { keys, sessionId } = scope.run;
    const [kept, history] = await Promise.all([
      deps.sessions.dialogue(keys, sessionId, step.service),
      step.historyTurns === 0 ? [] : historyOf(step, scope, deps),
    ]);
    return new Turn(step, scope, deps, { kept, history });
  }

  async take(): Promise<StepResult> {
    const question: Question = {
      inputs: this.#inputs(),
      round: 0,
      check: (outputs) => this.#judge(outputs),
      // After a checkpoint the turn must not be repeated from the earlier state.
      repairable: () => !this.#told,
      onEvent: (event) => (isCheckpoint(event) ? this.#checkpoint(event.data) : undefined),
    };
    // A dialogue needs no inputs beside its state, so it never uses a sample.
    const scope: StepScope = { ...this.#scope, mode: "LIVE" };
    const { warnings } = await askAgent(this.#step, question, scope, this.#deps);
    if (!this.#end) throw new GatewayError("internal");
    const { answer, next } = this.#end;
    const { state, message, next_action, effects = [], ui_hint: { buttons = [] } = {} } = answer;
    const { service, version } = next;
    return {
      outputs: answer,
      text: message,
      warnings,
      dialogue: {
        rest: { service, next_action, version, state },
        buttons,
        kept: dialogueFields(next, effects, this.#scope.run.id),
      },
    };
  }

  #inputs(): JsonText {
    const { target, message } = this.#scope.order;
    const told = target.kind === "service" ? target.message : undefined;
    const turn = {
      state: this.#kept?.state ?? null,
      message: told ?? message,
      history: this.#history,
      locale: this.#locale,
    };
    return new JsonText(writeJson(turn), Object.keys(turn));
  }

  async #judge(outputs: object): Promise<OutputsProblem | undefined> {
    // An answer that is so large that it was left as text has too large a state.
    if (outputs instanceof JsonText) return TOO_LARGE;
    const checked = agentContract.dialogueAnswer(outputs);
    if (!checked.ok) return wrongAt(checked.problem.path);
    const answer = checked.value;
    const next = await this.#next(answer.state, answer.next_action);
    if (!next) return TOO_LARGE;
    this.#end = { answer, next };
    return undefined;
  }

  /**
   * Saves the state of a checkpoint in the middle of a turn, whatever the turn's outcome. The agent's stream waits for that.
   * @throws UpstreamError upstream_invalid
   */
  async #checkpoint(data: unknown): Promise<void> {
    const { agent } = this.#step;
    const checked = agentContract.dialogueCheckpoint(data);
    if (!checked.ok) throw brokenContract(agent, wrongAt(checked.problem.path));
    const { state, effects = [] } = checked.value.checkpoint;
    const next = await this.#next(state, this.#kept?.next_action ?? "ASK");
    if (!next) throw brokenContract(agent, TOO_LARGE);
    this.#kept = next;
    this.#told = true;
    const { run } = this.#scope;
    await this.#deps.sessions.checkpoint(run.keys, run, dialogueFields(next, effects, run.id));
  }

  /** @returns undefined where the state is larger than it may be */
  async #next(
    state: DialogueAnswer["state"],
    nextAction: Dialogue["next_action"],
  ): Promise<Dialogue | undefined> {
    // A large one has just been parsed: that it is written again need not hold the event loop for longer.
    if (lessSizeOf(state, AT_ONCE) < 0) await nextTurn();
    const text = JSON.stringify(state);
    if (Buffer.byteLength(text) > this.#step.maxStateBytes) return undefined;
    return {
      service: this.#step.service,
      version: (this.#kept?.version ?? 0) + 1,
      next_action: nextAction,
      ...stageOf(state),
      locale: this.#locale,
      state: new JsonText(text),
    };
  }
}

const TOO_LARGE: OutputsProblem = { reason: "state_too_large" };

function wrongAt(place: string): OutputsProblem {
  return { reason: "wrong_outputs", place };
}

/** Values that are written at once. */
const AT_ONCE = 10_000;

function isCheckpoint({ type, data }: AgentEvent): boolean {
  return (
    type === "progress" && typeof data === "object" && data !== null && Object.hasOwn(data, "checkpoint")
  );
}

/** Characters of a stage that heads show. */
const STAGE_LENGTH = 64;

function stageOf(state: object): { stage?: string } {
  const stage = "stage" in state ? state.stage : undefined;
  return typeof stage === "string" && stage.length <= STAGE_LENGTH ? { stage } : {};
}

/**
 * The session's latest entries, each turn's together, as the user knew them: what was answered only after this message had been sent is no
 * part of what it answers. What has no answer is this turn, or waits behind it and is not said yet.
 */
async function historyOf(
  { historyTurns }: DialogueStep,
  { run }: StepScope,
  { sessions }: StepDeps,
): Promise<DialogueTurn["history"]> {
  const entries = await sessions.latest(run.keys, run.sessionId, historyTurns + WAITING);
  const turns = [...Map.groupBy(entries, (entry) => entry.run_id).values()];
  const sent = entries.findIndex(({ run_id }) => run_id === run.id);
  const unseen = new Set(sent < 0 ? [] : entries.slice(sent).filter(({ role }) => role === "assistant"));
  return turns
    .filter((turn) => turn.some(({ role }) => role === "assistant"))
    .flat()
    .filter((entry) => !unseen.has(entry))
    .slice(-historyTurns)
    .map(({ role, text }) => ({ role, text }));
}
