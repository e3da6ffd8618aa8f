import { GatewayError } from "../errors.ts";
import { newId } from "../ids.ts";
import { isRemoteService, isRoundsService } from "../mesh/index.ts";
import type { RunHandle } from "../runs/index.ts";
import { type EndedAs, GEN_AI, INTERLOCK, type OpenSpan, tracing } from "../telemetry/index.ts";
import { askTask } from "./ask-task.ts";
import { answerAll } from "./asked/answer-all.ts";
import { offerState } from "./asked/pause-buttons.ts";
import { tellState } from "./asked/tell-state.ts";
import { checkInputs } from "./check-inputs.ts";
import { chooseService } from "./choose-service.ts";
import { enterFlow } from "./enter-flow.ts";
import { holdTarget, pressButton } from "./gate/hold-target.ts";
import { guard } from "./guard.ts";
import { listen } from "./hear-model.ts";
import { loadSession } from "./load-session.ts";
import { forService, serveNamed } from "./name-service.ts";
import { orderOf } from "./order.ts";
import { permit } from "./permit.ts";
import { tellResults } from "./results/tell-results.ts";
import type { Turn, TurnDeps, TurnRequest, TurnStep } from "./turn-step.ts";
import { understand } from "./understand.ts";
import { withdraw } from "./withdraw.ts";

/** The way of a turn. */
const STEPS: readonly TurnStep[] = [
  permit,
  guard,
  askTask,
  loadSession,
  pressButton,
  serveNamed,
  chooseService,
  listen,
  tellState,
  enterFlow,
  withdraw,
  tellResults,
  understand,
  checkInputs,
];

/**
 * Takes one turn of a conversation: finds out what the message asks for and starts a run that answers it.
 * @returns the run's handle; and whether the run is a plan, or one of another gateway, which goes on when its caller is gone
 * @throws GatewayError forbidden, not_found (the session is somebody else's), invalid_request, rate_limited, quota_exceeded, session_busy, overloaded, draining, idempotency_mismatch, store_unavailable
 */
export function takeTurn(request: TurnRequest, meshDeps: TurnDeps): Promise<Taken> {
  const span = tracing?.span("turn", request.trace, {
    attributes: { [GEN_AI.conversation]: request.sessionId },
  });
  const turn: Turn = {
    request,
    trace: span ?? request.trace,
    runId: newId(),
    intent: "general",
    target: { kind: "general" },
  };
  const taken = take(turn, meshDeps);
  return span ? span.around(taken, (ended) => toldOf(span, turn, ended)) : taken;
}

async function take(turn: Turn, meshDeps: TurnDeps): Promise<Taken> {
  const { request } = turn;
  const deps = forService(turn, meshDeps);
  for (const step of STEPS) {
    const outcome = tracing && step === understand ? understood(turn, deps, tracing) : step(turn, deps);
    // A step that need not wait costs no turn of the microtask queue.
    if ((typeof outcome === "string" ? outcome : await outcome) === "answered") break;
  }
  const held = holdTarget(turn, deps.mesh);
  if (held) await held;
  offerState(turn, deps);
  answerAll(turn, deps);
  if (request.admitted) await request.admitted;
  const run = await deps.runs.start(request.caller, {
    id: turn.runId,
    sessionId: request.sessionId,
    order: orderOf(turn, deps.mesh),
    background: request.background ?? false,
    whenBusy: request.whenBusy ?? "refuse",
    inputsOf: turn.inputs ? turn.inputsOf : undefined,
    working: turn.next && JSON.stringify(turn.next),
    idempotency: request.idempotency,
    notify: request.notify,
    authorization: request.authorization,
  });
  return { run, isPlan: goesOnAlone(turn.target, deps) };
}

type Taken = { run: RunHandle; isPlan: boolean };

/** The step that understands the message, in a span of its own. */
async function understood(turn: Turn, deps: TurnDeps, by: NonNullable<typeof tracing>) {
  const span = by.span("understand", turn.trace);
  return await span.around(Promise.resolve(understand(turn, deps)), codeIn);
}

function toldOf(span: OpenSpan, turn: Turn, ended: EndedAs<Taken>) {
  span.set({ [INTERLOCK.intent]: turn.intent });
  if ("result" in ended) span.set({ [INTERLOCK.run]: ended.result.run.id });
  return codeIn(ended);
}

function codeIn(ended: EndedAs<unknown>): string | undefined {
  if (!("error" in ended)) return undefined;
  return ended.error instanceof GatewayError ? ended.error.code : "internal";
}

function goesOnAlone(target: Turn["target"], { mesh }: TurnDeps): boolean {
  if (target.kind !== "service") return target.kind === "flow";
  const service = mesh.services.get(target.service);
  return service !== undefined && (isRemoteService(service) || isRoundsService(service));
}
