/** How the mesh is, in words. */
import { dot, element, moment } from "./dom.js";

const REASONS = {
  no_answer: "it gives no answer",
  refused: "it says that it is not ready",
  invalid: "it answers otherwise than the contract says",
};

const MODEL_REASONS = {
  no_key: "no key",
  breaker_open: "it failed too often and is spared",
  budget_spent: "its budget is spent",
  unknown: "its budget cannot be read",
};

const KINDS = {
  flow: () => "A plan over several agents.",
  agent: ({ agent }) => `One task of the agent ${agent}.`,
  dialogue: ({ agent }) => `A conversation with the agent ${agent}.`,
  remote: () => "Performed by another gateway.",
};

/** @param {any} agent as GET /api/v1/agents lists it */
export function agentItem({ name, description, status, reason, since, breaker, version }) {
  const when = since === undefined ? [] : [" since ", moment(since)];
  const spared = breaker === "closed" ? [] : ["; it failed too often and is spared"];
  const said =
    status === "ready"
      ? ["Ready", ...when, ...spared, "."]
      : status === "not_ready"
        ? ["Not ready", ...when, `: ${REASONS[reason] ?? "it is not known why"}`, ...spared, "."]
        : ["Not looked at yet."];
  const tone =
    status === "ready" ? (breaker === "closed" ? "ok" : "warn") : status === "not_ready" ? "bad" : "idle";
  return element(
    "li",
    { "data-agent": name, "data-status": status },
    element(
      "p.name",
      {},
      dot(tone),
      element("strong", {}, name),
      version === undefined ? undefined : element("span.version", {}, ` ${version}`),
    ),
    description ? element("p", {}, description) : undefined,
    element(`p.said.${tone}`, {}, ...said),
  );
}

/**
 * @param {any} service as GET /api/v1/services lists it
 * @param {(message: string) => void} onExample
 */
export function serviceItem(service, onExample) {
  const { name, kind, label, description, healthy, examples = [] } = service;
  const example = examples[0];
  return element(
    "li",
    { "data-service": name },
    element("h3", {}, label.en),
    element("p", {}, description || KINDS[kind]?.(service) || ""),
    healthy === false
      ? element(
          "p.said.bad",
          {},
          dot("bad"),
          kind === "flow" ? "An agent that it needs is not ready." : "Its agent is not ready.",
        )
      : undefined,
    example === undefined
      ? element("p.hint", {}, `Its name is ${name}.`)
      : element(
          "button.example",
          { type: "button", click: () => onExample(example) },
          element("span.visually-hidden", {}, "Try: "),
          example,
        ),
  );
}

/**
 * The lines of the panel on health.
 * @param {{gateway: {ready?: boolean, edition?: string}, agents?: any[], models?: any}} seen what is absent was not told
 */
export function healthLines({ gateway, agents, models }) {
  const { ready, edition } = gateway;
  const lines = [
    line(
      "Gateway",
      ready === undefined ? "bad" : ready ? "ok" : "warn",
      ready === undefined ? "does not answer" : ready ? "takes work" : "takes no work now",
    ),
    ...(ready === undefined
      ? []
      : [
          line(
            "Redis",
            ready ? "ok" : "bad",
            ready ? "answers" : "does not answer, or the gateway is shutting down",
          ),
        ]),
  ];
  if (agents) {
    const up = agents.filter(({ status }) => status === "ready").length;
    lines.push(
      line(
        "Agents",
        up === agents.length ? "ok" : up === 0 ? "bad" : "warn",
        `${up} of ${agents.length} ready`,
      ),
    );
  }
  if (models) {
    for (const { id, default: isDefault, healthy, reason } of models.models) {
      const what =
        id === "rules"
          ? "built in"
          : healthy === undefined
            ? "asked by the agents"
            : healthy
              ? "answers"
              : MODEL_REASONS[reason];
      lines.push(
        line(isDefault ? "Model" : "Other model", healthy === false ? "bad" : "ok", `${id} (${what})`),
      );
    }
  }
  if (edition !== undefined) lines.push(line("Manifest", "idle", `edition ${edition.slice(0, 12)}`));
  return lines;
}

/** @param {string} what @param {"ok" | "warn" | "bad" | "idle"} tone @param {string} words */
function line(what, tone, words) {
  return element("div", {}, element("dt", {}, what), element("dd", {}, dot(tone), words));
}
