import { loadRules } from "@interlock/contracts";

/** A rule of the contract as a report shows it. */
export type RuleInfo = {
  readonly id: string;
  readonly level: "MUST" | "SHOULD";
  readonly title: string;
  readonly text: string;
  readonly hint: string;
};

function textIn(rule: Readonly<Record<string, unknown>>, name: string): string {
  const value = rule[name];
  if (typeof value !== "string" || value === "") throw new Error(`rules.yaml: a rule has no ${name}`);
  return value;
}

/** The rules in the order of the contract. */
export const rules: readonly RuleInfo[] = loadRules().map((rule) => ({
  id: rule.id,
  level: rule.level,
  title: textIn(rule, "title"),
  text: rule.text,
  hint: textIn(rule, "hint"),
}));
