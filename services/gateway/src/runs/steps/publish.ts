import { encoded, writeJson } from "../../json-text.ts";
import type { PublishStep } from "../../mesh/index.ts";
import type { StepResult } from "../../store/index.ts";
import { INTERLOCK, tracing } from "../../telemetry/index.ts";
import { sampleOf } from "../sample.ts";
import { finishedEvent, startedEvent } from "./step-events.ts";
import type { StepAbout, StepKind, StepScope } from "./step-kind.ts";

/** Writes to a book of the store: the payload goes there in the same write as the step's journal entry. */
export const publish: StepKind<PublishStep> = {
  asksAgent: false,
  about: aboutPublish,
  execute,
};

function aboutPublish({ to }: PublishStep): StepAbout {
  return { agent: to, task_type: "PUBLISH" };
}

async function execute(
  step: PublishStep,
  { run, order, context, signal, trace, verify }: StepScope,
): Promise<StepResult> {
  const started = performance.now();
  const about = aboutPublish(step);
  const payload = await step.payload(context, signal);
  await verify(step, payload, signal);
  await run.append(startedEvent(step.id, about, run.fence));
  signal.throwIfAborted();
  const sample = sampleOf(context.steps);
  const result: StepResult = {
    outputs: { published: true },
    warnings: [],
    ...(sample ? { sample } : {}),
  };
  const entry = {
    run_id: run.id,
    step: step.id,
    requested_by: order.subject,
    approval_id: context.approval?.approval_id ?? null,
    approved_by: context.approval?.by ?? null,
    sample: sample !== undefined,
    // Last, so that whoever reads the book need not parse it.
    payload,
  };
  const event = await finishedEvent(step, about, result, started);
  const effect = { id: `${run.id}:${step.id}`, book: step.to, payload: await encoded(writeJson(entry)) };
  const span = tracing?.span(`publish ${step.to}`, trace, {
    kind: "producer",
    attributes: { [INTERLOCK.book]: step.to, [INTERLOCK.step]: step.id },
  });
  await run.publish(effect, step.id, JSON.stringify(result), event);
  // Until the store has acknowledged it.
  if (span) await span.around(run.flushed(), () => (run.isOpen ? undefined : "lost"));
  return result;
}
