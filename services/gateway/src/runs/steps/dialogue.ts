import { agentContract, type DialogueAnswer, type DialogueTurn, type Validated } from "@interlock/contracts";
import { type AgentEvent, UpstreamError } from "../../agents/index.ts";
import { JsonText, writeJson } from "../../json-text.ts";
import type { DialogueStep } from "../../mesh/index.ts";
import { type Dialogue, dialogueFields, type StepResult } from "../../store/index.ts";
import { askAgent } from "./ask-agent.ts";
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

  /** Only now: while the run waited for the session, the run before it has left another state there. */
  static async begin(step: DialogueStep, scope: StepScope, deps: StepDeps): Promise<Turn> {
    const { keys, sessionId } = scope.run;
    const [kept, history] = await Promise.all([
      deps.sessions.dialogue(keys, sessionId, step.service),
      step.historyTurns === 0 ? [] : historyOf(step, scope, deps),
    ]);
    return new Turn(step, scope, deps, { kept, history });
  }

  async take(): Promise<StepResult> {
    const onEvent = (event: AgentEvent) => this.#checkpoint(event);
    const question = { inputs: this.#inputs(), round: 0, onEvent };
    // A dialogue has what it needs in its state, so it never is a demonstration.
    const scope: StepScope = { ...this.#scope, mode: "LIVE" };
    const { outputs, warnings } = await askAgent(this.#step, question, scope, this.#deps);
    const answer = this.#checked(outputs);
    const { message, next_action, effects = [], ui_hint: { buttons = [] } = {} } = answer;
    const next = this.#next(answer.state, next_action);
    const { service, version } = next;
    return {
      outputs: answer,
      text: message,
      warnings,
      dialogue: {
        rest: { service, next_action, version, state: answer.state },
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

  /** @throws UpstreamError upstream_invalid */
  #checked(outputs: object): DialogueAnswer {
    // An answer that is so large that it was left as text has too large a state.
    if (outputs instanceof JsonText) throw this.#invalid("state_too_large");
    return this.#valid(agentContract.dialogueAnswer(outputs));
  }

  /** Keeps the state that the agent tells of in the middle of a turn, whatever becomes of the turn; the agent waits until it is kept. */
  #checkpoint(event: AgentEvent): Promise<void> | undefined {
    if (event.type !== "progress" || !isCheckpoint(event.data)) return undefined;
    const { checkpoint } = this.#valid(agentContract.dialogueCheckpoint(event.data));
    const next = this.#next(checkpoint.state, this.#kept?.next_action ?? "ASK");
    this.#kept = next;
    const { run } = this.#scope;
    return this.#deps.sessions.checkpoint(
      run.keys,
      run,
      dialogueFields(next, checkpoint.effects ?? [], run.id),
    );
  }

  #valid<T>(checked: Validated<T>): T {
    if (checked.ok) return checked.value;
    throw this.#invalid("wrong_outputs", checked.problem.path);
  }

  /** @throws UpstreamError upstream_invalid where the state is larger than it may be */
  #next(state: DialogueAnswer["state"], nextAction: Dialogue["next_action"]): Dialogue {
    const text = JSON.stringify(state);
    if (Buffer.byteLength(text) > this.#step.maxStateBytes) throw this.#invalid("state_too_large");
    return {
      service: this.#step.service,
      version: (this.#kept?.version ?? 0) + 1,
      next_action: nextAction,
      ...stageOf(state),
      locale: this.#locale,
      state: new JsonText(text),
    };
  }

  #invalid(reason: "wrong_outputs" | "state_too_large", place?: string): UpstreamError {
    const { agent } = this.#step;
    const where = place === undefined ? "" : ` at ${place === "" ? "/" : place}`;
    const message = `The agent's answer breaks its contract: ${reason}${where}.`;
    return new UpstreamError({ code: "upstream_invalid", reason, agent, message });
  }
}

function isCheckpoint(data: unknown): boolean {
  return typeof data === "object" && data !== null && Object.hasOwn(data, "checkpoint");
}

/** Characters of a stage that heads show. */
const STAGE_LENGTH = 64;

function stageOf(state: object): { stage?: string } {
  const stage = "stage" in state ? state.stage : undefined;
  return typeof stage === "string" && stage.length <= STAGE_LENGTH ? { stage } : {};
}

/** The session's latest entries, each turn's together. What has no answer is this turn, or waits behind it and is not said yet. */
async function historyOf(
  { historyTurns }: DialogueStep,
  { run }: StepScope,
  { sessions }: StepDeps,
): Promise<DialogueTurn["history"]> {
  const entries = await sessions.latest(run.keys, run.sessionId, historyTurns + WAITING);
  const turns = [...Map.groupBy(entries, (entry) => entry.run_id).values()];
  return turns
    .filter((turn) => turn.some(({ role }) => role === "assistant"))
    .flat()
    .slice(-historyTurns)
    .map(({ role, text }) => ({ role, text }));
}
