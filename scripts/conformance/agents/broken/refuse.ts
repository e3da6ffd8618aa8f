import {
  type agentWith,
  isRefused,
  json,
  parse,
  type Refused,
  type Reply,
  type Request,
  type Run,
  streamOf,
  TASK,
} from "../agent.ts";
import { type BrokenPeer, broken } from "../peer.ts";

type Body = Record<string, unknown>;
function without(body: object, name: string): Body {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
}

function refusalSays(rule: string, name: string, edit: (body: Body, refused: Refused) => Body): BrokenPeer {
  return broken(rule, name, (base) => ({
    refusal: (refused) => edit({ ...base.refusal(refused) }, refused),
  }));
}

/** Accepts a request that it should refuse, by correcting it first. */
function takes(rule: string, name: string, correct: (body: unknown) => unknown): BrokenPeer {
  return broken(rule, name, (base) => ({
    accept: (request) => {
      const accepted = base.accept(request);
      if (!isRefused(accepted) || accepted.status !== 400) return accepted;
      const corrected = correct(anyJson(request.text));
      return corrected === undefined
        ? accepted
        : base.accept({ ...request, text: JSON.stringify(corrected) });
    },
  }));
}

function anyJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
function bodyOf(body: unknown): Body | undefined {
  return parse(JSON.stringify(body ?? null)) as Body | undefined;
}
const NEW = { request_id: "r", task_type: TASK };

/** Only for invalid requests: an unknown task type has its own rule. */
function refusesWith(name: string, edit: Partial<Reply>): BrokenPeer {
  return broken("AC1-REFUSE-005", name, (base) => ({
    refuse: (refused) => ({ ...base.refuse(refused), ...(refused.code === "INVALID_REQUEST" ? edit : {}) }),
  }));
}

/** Each of these breaks a rule on one endpoint only. */
function onlyOnStream(base: ReturnType<typeof agentWith>, of: (request: Request) => Refused | Run) {
  return (request: Request) => (request.endpoint === "stream" ? of(request) : base.accept(request));
}

export const brokenRefusals: readonly BrokenPeer[] = [
  takes("AC1-REFUSE-001", "takes a list", (body) => (Array.isArray(body) ? NEW : undefined)),
  takes("AC1-REFUSE-001", "takes null", (body) => (body === null ? NEW : undefined)),
  broken("AC1-REFUSE-001", "fails on what is not JSON", (base) => ({
    accept: (request) =>
      anyJson(request.text) === undefined
        ? { request, status: 500, code: "INTERNAL", requestId: "" }
        : base.accept(request),
  })),
  broken("AC1-REFUSE-001", "has no answer to an empty body", (base) => ({
    refuse: (refused) =>
      refused.request.text === "" ? { ...base.refuse(refused), framing: "no answer" } : base.refuse(refused),
  })),
  takes("AC1-REFUSE-002", "makes a request_id where there is none", (body) => {
    const sent = bodyOf(body);
    return sent && !("request_id" in sent) ? { ...sent, request_id: "r" } : undefined;
  }),
  takes("AC1-REFUSE-002", "takes an empty request_id", (body) => {
    const sent = bodyOf(body);
    return sent?.request_id === "" ? { ...sent, request_id: "r" } : undefined;
  }),
  takes("AC1-REFUSE-003", "has a default task_type", (body) => {
    const sent = bodyOf(body);
    return sent && !("task_type" in sent) ? { ...sent, task_type: TASK } : undefined;
  }),
  broken("AC1-REFUSE-003", "stream takes an empty task_type", (base) => ({
    accept: onlyOnStream(base, (request) =>
      base.accept({ ...request, text: request.text.replace('"task_type":""', `"task_type":"${TASK}"`) }),
    ),
  })),
  broken("AC1-REFUSE-004", "refuses with 400, as an event", (base) => ({
    refuse: (refused) =>
      refused.request.endpoint === "stream" && refused.status === 400
        ? { ...streamOf([base.encode(["error", base.refusal(refused)])]), status: 400 }
        : base.refuse(refused),
  })),
  broken("AC1-REFUSE-004", "refuses inside an event stream", (base) => ({
    refuse: (refused) =>
      refused.request.endpoint === "stream" && refused.status === 400
        ? streamOf([base.encode(["final", { ...base.refusal(refused), task_type: "" }])])
        : base.refuse(refused),
  })),
  refusesWith("refuses with a page", {
    headers: { "content-type": "text/html" },
    parts: ["<h1>Bad Request</h1>"],
  }),
  refusesWith("refuses with nothing", { parts: [] }),
  refusesWith("refuses as text", { headers: { "content-type": "text/plain" } }),
  refusesWith("breaks off its refusal", { parts: ["{"], ending: "cut" }),
  refusalSays("AC1-REFUSE-006", "refuses without request_id", (body, { requestId }) =>
    requestId === "" ? without(body, "request_id") : body,
  ),
  refusalSays("AC1-REFUSE-006", "refuses with null as request_id", (body, { requestId }) =>
    requestId === "" ? { ...body, request_id: null } : body,
  ),
  refusalSays("AC1-REFUSE-007", "refuses without ok", (body, { code }) =>
    code === "INVALID_REQUEST" ? without(body, "ok") : body,
  ),
  refusalSays("AC1-REFUSE-008", "refuses without outputs", (body, { code }) =>
    code === "INVALID_REQUEST" ? without(body, "outputs") : body,
  ),
  refusalSays("AC1-REFUSE-009", "refuses without warnings", (body, { code }) =>
    code === "INVALID_REQUEST" ? without(body, "warnings") : body,
  ),
  takes("AC1-REFUSE-010", "takes a blank request_id", (body) => {
    const sent = bodyOf(body);
    return typeof sent?.request_id === "string" && /^\s+$/.test(sent.request_id)
      ? { ...sent, request_id: "r" }
      : undefined;
  }),
  takes("AC1-REFUSE-011", "takes a number as request_id", (body) => {
    const sent = bodyOf(body);
    return typeof sent?.request_id === "number" ? { ...sent, request_id: "7" } : undefined;
  }),
  takes("AC1-REFUSE-012", "takes a list of inputs", (body) => {
    const sent = bodyOf(body);
    return Array.isArray(sent?.inputs) ? { ...sent, inputs: {} } : undefined;
  }),
  refusalSays("AC1-REFUSE-013", "never echoes request_id in a refusal", (body) => ({
    ...body,
    request_id: "",
  })),
  refusalSays("AC1-REFUSE-014", "refuses without an error", (body) => without(body, "error")),
  refusalSays("AC1-REFUSE-014", "refuses with a text as error", (body) => ({
    ...body,
    error: "bad request",
  })),
  broken("AC1-REFUSE-015", "takes any media type", (base) => ({
    accept: (request) => base.accept({ ...request, headers: { "content-type": "application/json" } }),
  })),
  broken("AC1-REFUSE-016", "fails on an unknown task type", (base) => ({
    refuse: (refused) => (refused.code === "UNSUPPORTED_TASK" ? json(500, {}) : base.refuse(refused)),
  })),
  broken("AC1-REFUSE-016", "says not found of an unknown task type", (base) => ({
    refuse: (refused) =>
      refused.code === "UNSUPPORTED_TASK" ? json(404, { detail: "Not Found" }) : base.refuse(refused),
  })),
];
