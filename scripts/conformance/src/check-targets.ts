import { boundsFor } from "./bounds.ts";
import { checks } from "./checks/index.ts";
import type { Inputs, InputsFrom } from "./evidence.ts";
import { judge, probesFor, type Result } from "./judge.ts";
import { observe } from "./observe.ts";
import type { Hooks, Target } from "./probes/agent-under-check.ts";

export type CheckOptions = Hooks & {
  readonly inputs: ReadonlyMap<string, Inputs>;
  readonly timeoutMs: number;
  /** Rules to check. All, if empty. */
  readonly rules: ReadonlySet<string>;
};

export type CheckedTarget = Target & {
  readonly inputsFrom: InputsFrom;
  readonly requests: number;
  readonly durationMs: number;
  readonly results: readonly Result[];
  /** The task types of the agent's card, where that is valid and lacks this one. */
  readonly othersListed: readonly string[];
};

const AT_ONCE = 4;

/** Checks all targets, several at a time. Results are in the order of the targets. */
export async function checkTargets(
  targets: readonly Target[],
  options: CheckOptions,
): Promise<readonly CheckedTarget[]> {
  const checked: CheckedTarget[] = [];
  const left = [...targets.entries()];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [place, target] = next;
      checked[place] = await checkTarget(target, options);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return checked;
}

async function checkTarget(target: Target, options: CheckOptions): Promise<CheckedTarget> {
  const { rules, inputs, timeoutMs, ...hooks } = options;
  const startedMs = performance.now();
  const evidence = await observe(target, {
    inputs: inputs.get(target.taskType),
    bounds: boundsFor(timeoutMs),
    ...hooks,
    ...(rules.size === 0 ? {} : { wanted: probesFor(rules) }),
  });
  const used = rules.size === 0 ? checks : checks.filter(({ rule }) => rules.has(rule));
  return {
    ...target,
    inputsFrom: evidence.inputsFrom,
    requests: evidence.exchanges.length,
    durationMs: performance.now() - startedMs,
    results: judge(evidence, used),
    othersListed: evidence.card?.listsTask === false ? evidence.card.taskTypes : [],
  };
}
