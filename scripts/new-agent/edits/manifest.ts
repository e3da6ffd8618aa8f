import { addEntry } from "../../cli/src/yaml-text.ts";
import { type Order, upper, words } from "../order.ts";

/** mesh.yaml: the agent, and a service that messages can be for. */
export function addToManifest(text: string, order: Order): string {
  const { name } = order;
  const withAgent = addEntry(text, { path: ["agents"], key: name, lines: agentLines(order) });
  return addEntry(withAgent, { path: ["services"], key: name, lines: serviceLines(order) });
}

function agentLines({ name, language, dialogue, taskType, port, standalone }: Order): string[] {
  return [
    `${name}:`,
    `  url: \${${upper(name)}_URL:-http://127.0.0.1:${port}}`,
    // One that lives elsewhere is started there.
    ...(standalone === undefined
      ? [
          "  # `npm start` runs it.",
          `  command: [${language === "python" ? `python3, services/${name}/main.py` : `node, services/${name}/src/main.ts`}]`,
        ]
      : []),
    // An agent on Python's standard library alone does not verify whom it is asked for.
    ...(language === "typescript" ? [`  identity: \${AGENT_IDENTITY:-none}`] : []),
    `  label: ${labelOf(name, dialogue)}`,
    `  description: ${doingOf(dialogue)}`,
    "  tasks:",
    `    ${taskType}: ${doingOf(dialogue)}`,
    "  limits: { timeout_ms: 30000, retries: 1, backoff_ms: 200 }",
  ];
}

function serviceLines({ name, dialogue, taskType }: Order): string[] {
  const common = [
    `${name}:`,
    `  agent: ${name}`,
    `  task_type: ${taskType}`,
    `  label: ${labelOf(name, dialogue)}`,
    `  description: ${doingOf(dialogue)}`,
    `  keywords: [${[...new Set([words(name), name])].join(", ")}]`,
  ];
  if (!dialogue)
    return [
      ...common,
      "  # Messages like these are for it, in any language.",
      "  examples: [count the words, how many words does this text have, 단어 수를 세어 줘, 이 글은 몇 단어야]",
      `  answer: { text: "{outputs.words} words; the longest is {outputs.longest}." }`,
    ];
  return [
    ...common,
    "  # Messages like these begin the dialogue, in any language.",
    "  examples: [book a table, I would like a table for four, reserve a table at 7, 테이블 예약해 줘, 네 명 자리 예약하고 싶어요]",
    "  dialogue: {}",
  ];
}

function doingOf(dialogue: boolean): string {
  return dialogue ? "Books a table, in a dialogue." : "Counts the words of a text.";
}

function labelOf(name: string, dialogue: boolean): string {
  return dialogue
    ? `{ en: Book a table (${name}), ko: 테이블 예약 (${name}) }`
    : `{ en: Count words (${name}), ko: 단어 세기 (${name}) }`;
}
