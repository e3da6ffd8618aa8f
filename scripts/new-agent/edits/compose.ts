import { appendToText, insertEntry } from "../../cli/src/yaml-text.ts";
import { type Order, upper } from "../order.ts";

/**
 * docker-compose.yml: the agent's container, and what the gateway has to know of it.
 * @param last the agent that it follows
 */
export function addToCompose(text: string, order: Order, last: string | undefined): string {
  const { name, port } = order;
  const gateway = ["services", "gateway"];
  let edited = insertEntry(text, {
    path: ["services"],
    key: name,
    lines: order.language === "python" ? pythonLines(name) : nodeLines(name),
    after: last,
  });
  edited = insertEntry(edited, {
    path: [...gateway, "depends_on"],
    key: name,
    lines: [`${name}: { condition: service_healthy }`],
    after: last,
  });
  edited = insertEntry(edited, {
    path: [...gateway, "environment"],
    key: `${upper(name)}_URL`,
    lines: [`${upper(name)}_URL: http://${name}:${port}`],
    after: last === undefined ? undefined : `${upper(last)}_URL`,
  });
  return appendToText(edited, [...gateway, "environment", "EGRESS_ALLOW"], `, ${name}`);
}

function nodeLines(name: string): string[] {
  return [
    "",
    `${name}:`,
    "  <<: *agent",
    `  build: { context: ., target: ${name} }`,
    `  image: interlock/${name}:\${INTERLOCK_TAG:-latest}`,
    "  environment: *agent-env",
  ];
}

/** It keeps nothing in Redis, so that it gets neither its address nor its password. */
function pythonLines(name: string): string[] {
  return [
    "",
    `${name}:`,
    `  build: { context: services/${name} }`,
    `  image: interlock/${name}:\${INTERLOCK_TAG:-latest}`,
    "  restart: unless-stopped",
    "  read_only: true",
    "  cap_drop: [ALL]",
    '  security_opt: ["no-new-privileges:true"]',
    "  stop_grace_period: 15s",
  ];
}
