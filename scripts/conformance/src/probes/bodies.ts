import type { Inputs, ProbeName } from "../evidence.ts";
import type { Canary } from "../wire/canary.ts";

/** A request body that an agent must, or should, refuse. */
export type Body = {
  readonly probe: ProbeName;
  readonly what: string;
  readonly text: string;
  /** Its `request_id`, if that is a string. */
  readonly requestId?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Inputs that no task knows. The canary in them shows where they end up. */
export function canaryInputs({ key, text, number }: Canary): Inputs {
  return { [key]: text, value: number, text };
}

/** All requests that should be refused. Each contains the canary near its mistake. */
export function bodiesToRefuse(requestId: string, taskType: string, canary: Canary): readonly Body[] {
  const inputs = canaryInputs(canary);
  const whole = { request_id: requestId, task_type: taskType, inputs };
  const [word = ""] = canary.words;
  const json = (probe: ProbeName, what: string, body: unknown, sent?: string): Body => ({
    probe,
    what,
    text: JSON.stringify(body),
    ...(sent === undefined ? {} : { requestId: sent }),
  });
  return [
    { probe: "not an object", what: "a body that is not JSON", text: `{"inputs":{"a":${word}}}` },
    { probe: "not an object", what: "an empty body", text: "" },
    json("not an object", "a body that is a list", [whole]),
    json("not an object", "a body that is a string", canary.text),
    json("not an object", "a body that is a number", canary.number),
    json("not an object", "a body that is null", null),
    json("no request_id", "no request_id", { task_type: taskType, inputs }),
    json("no request_id", "an empty request_id", { ...whole, request_id: "" }, ""),
    json("no task_type", "no task_type", { request_id: requestId, inputs }, requestId),
    json("no task_type", "an empty task_type", { ...whole, task_type: "" }, requestId),
    json("blank id", "a blank request_id", { ...whole, request_id: " \t " }, " \t "),
    json("blank id", "a blank task_type", { ...whole, task_type: "  " }, requestId),
    json("id not a string", "a request_id that is a number", { ...whole, request_id: 7 }),
    json("id not a string", "a task_type that is a list", { ...whole, task_type: [taskType] }, requestId),
    json("inputs not an object", "inputs that are a list", { ...whole, inputs: [canary.text] }, requestId),
    json("inputs not an object", "inputs that are a string", { ...whole, inputs: canary.text }, requestId),
    {
      ...json("media type", "the media type text/plain", whole, requestId),
      headers: { "content-type": "text/plain" },
    },
    json("unknown task type", "an unknown task type", { ...whole, task_type: "NO_SUCH_TASK_" }, requestId),
  ];
}

const MOST_NAMES = 20;
const DEEPEST = 8;

type OddInputs = { readonly what: string; readonly inputs: Inputs };

/** Inputs that fail validation at the canary, so that a validator's message may quote it. */
export function oddInputs(
  canary: Canary,
  names: readonly string[],
  known: Inputs | undefined,
): readonly OddInputs[] {
  const ofWrongType = names.slice(0, MOST_NAMES).map((name) => [name, canary.text] as const);
  const odd: OddInputs[] = [{ what: "unknown inputs", inputs: canaryInputs(canary) }];
  if (ofWrongType.length > 0) {
    odd.push({ what: "inputs of the wrong type", inputs: Object.fromEntries(ofWrongType) });
  }
  if (known !== undefined) {
    odd.push({ what: "inputs with every value replaced", inputs: replaceLeaves(known, canary) });
  }
  return odd;
}

function replaceLeaves(inputs: Inputs, canary: Canary): Inputs {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, replaceLeaf(value, canary, 0)]),
  );
}

/** Replaces strings and numbers by those of the canary. The structure stays, so that basic validation passes. */
function replaceLeaf(value: unknown, canary: Canary, depth: number): unknown {
  if (typeof value === "number") return canary.number;
  if (typeof value !== "object" || value === null || depth > DEEPEST) return canary.text;
  if (Array.isArray(value))
    return value.slice(0, MOST_NAMES).map((item) => replaceLeaf(item, canary, depth + 1));
  const entries = Object.entries(value).slice(0, MOST_NAMES);
  return Object.fromEntries(entries.map(([name, item]) => [name, replaceLeaf(item, canary, depth + 1)]));
}
