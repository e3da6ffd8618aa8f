import type { Domain } from "./domain.ts";
import type { Difference, Meaning } from "./meaning.ts";
import { mentions, names } from "./named.ts";
import { asksBack, namedIn, type Reply, type Request, tellsLimits } from "./reply.ts";
import { type Constraint, type Conversation, tasksOf, type Wanted, type Wants } from "./set.ts";

/**
 * - `right`: the agents got what was wanted, and what nothing can apply is named; `asked`: after one question
 * - `dropped`: something wanted is neither applied nor named; `wrong`: something else was applied; `named`: named, though it can be applied
 * - `undone`: nothing was done, and nobody said otherwise
 * - `failed`: an error
 */
export const VERDICTS = ["right", "asked", "named", "undone", "dropped", "wrong", "failed"] as const;
export type VerdictName = (typeof VERDICTS)[number];

export type Verdict = {
  readonly verdict: VerdictName;
  readonly taskIsRight: boolean;
  /** Of a turn that is out of scope: whether a task ran all the same, and whether the answer says what it cannot do. */
  readonly outOfScope?: { readonly ran: boolean; readonly told: boolean };
  readonly dropped: readonly (Wanted | string)[];
  readonly wrong: readonly Constraint[];
  readonly named: readonly Wanted[];
  /** Names something as not applied, though nothing that was wanted is missing. */
  readonly namedTooMuch: boolean;
  readonly applied: readonly Constraint[];
  readonly tasks: readonly string[];
  /** What the approval holds that is not what was said; absent: there is no approval to judge. */
  readonly approval?: readonly string[];
};

export type Judging = {
  readonly domain: Domain;
  readonly meaning: Meaning;
  readonly language: Conversation["language"];
  /** What an approval holds that was not said. */
  readonly judgeApproval: (payload: unknown, wanted: readonly Wanted[]) => readonly string[];
};

/**
 * @param replies to the message, and where it asked back and there was an answer to give, to that answer
 */
export function judge(wants: Wants, replies: readonly [Reply, Reply?], judging: Judging): Verdict {
  const [first, second] = replies;
  const last = second ?? first;
  const { domain, meaning } = judging;
  const tasks = [...new Set(replies.flatMap((reply) => (reply ? tasksIn(reply, domain) : [])))];
  const goals = goalsOf(wants, domain);
  const applied = appliedIn(last, domain) ?? appliedIn(first, domain);
  const difference = meaning.compare(wants.constraints ?? [], applied ?? []);
  const texts = replies.map((reply) => (reply ? namedIn(reply) : "")).join(" ");
  const found = faultsOf(wants, difference, texts, domain);
  const approval =
    goals.some((goal) => domain.approved.has(goal)) && last.approval !== undefined
      ? judging.judgeApproval(last.approval, wants.constraints ?? [])
      : undefined;
  const base = {
    ...found,
    applied: applied ?? [],
    tasks,
    namedTooMuch:
      texts.trim() !== "" &&
      (wants.named ?? []).length === 0 &&
      difference.missing.length + difference.other.length === 0,
    ...(approval ? { approval } : {}),
  };
  const isFailed = replies.some((reply) => reply !== undefined && reply.status !== 200);
  const [word] = tasksOf(wants);
  if (word === "ask") {
    const isRight = asksBack(first);
    return {
      ...base,
      ...NO_FAULTS,
      taskIsRight: isRight,
      verdict: isRight ? "right" : isFailed ? "failed" : "wrong",
    };
  }
  if (word === "none" || word === "talk") {
    const ran = tasks.length > 0;
    const told =
      !ran && !isFailed && (word === "talk" || tellsLimits(last, domain.general[judging.language]));
    return {
      ...{ ...base, ...NO_FAULTS },
      taskIsRight: word === "talk" ? !ran && !isFailed : told,
      ...(word === "none" ? { outOfScope: { ran, told } } : {}),
      verdict: isFailed ? "failed" : ran ? "wrong" : told ? "right" : "undone",
    };
  }
  // An agent that says why what was said leaves nothing to do has got what was said.
  const isRefused = last.code === REFUSED_INPUTS && applied !== undefined;
  const taskIsRight = isRefused
    ? goals.some((goal) => domain.goals.get(goal)?.some((task) => tasks.includes(task)) ?? false) ||
      tasks.every((task) => domain.tasksFor(goals).has(task))
    : isDone(goals, tasks, last, domain);
  if (isFailed && !isRefused) return { ...base, ...NO_FAULTS, taskIsRight: false, verdict: "failed" };
  // Nothing was answered under other constraints than were said.
  if (applied === undefined) return { ...base, ...NO_FAULTS, taskIsRight: false, verdict: "undone" };
  return { ...base, taskIsRight, verdict: verdictOf(found, second !== undefined) };
}

const REFUSED_INPUTS = "invalid_inputs";
const NO_FAULTS = { dropped: [], wrong: [], named: [], namedTooMuch: false };

function verdictOf({ wrong, dropped, named }: ReturnType<typeof faultsOf>, asked: boolean): VerdictName {
  if (wrong.length > 0) return "wrong";
  if (dropped.length > 0) return "dropped";
  if (named.length > 0) return "named";
  return asked ? "asked" : "right";
}

function faultsOf(wants: Wants, { missing, other, extra }: Difference, texts: string, domain: Domain) {
  const isNamed = (wanted: Wanted): boolean => mentions(texts, wanted, domain);
  const unnamed = (wants.named ?? []).filter((phrase) => !names(texts, phrase));
  return {
    dropped: [...missing.filter((wanted) => !isNamed(wanted)), ...unnamed],
    wrong: [...new Set([...other.flatMap(({ applied }) => applied), ...extra])],
    named: missing.filter(isNamed),
  };
}

/** The goals that are wanted; the flow's own name stands for its default ones. */
export function goalsOf(wants: Wants, { flow, goals, defaultGoals }: Domain): readonly string[] {
  return tasksOf(wants).flatMap((task) => (task === flow && !goals.has(flow) ? defaultGoals : [task]));
}

function tasksIn({ requests, reused }: Reply, { judging }: Domain): string[] {
  return [...requests, ...reused].map(({ task }) => task).filter((task) => !judging.has(task));
}

/** Each goal's own tasks are done, and nothing that no goal needs. A goal with an effect is done where it waits for its approval. */
function isDone(goals: readonly string[], tasks: readonly string[], last: Reply, domain: Domain): boolean {
  const allowed = domain.tasksFor(goals);
  const wantsEffect = goals.some((goal) => domain.approved.has(goal));
  return (
    goals.every((goal) =>
      domain.approved.has(goal)
        ? last.approval !== undefined
        : domain.goals.get(goal)?.every((task) => tasks.includes(task)),
    ) &&
    tasks.every((task) => allowed.has(task)) &&
    wantsEffect === (last.approval !== undefined)
  );
}

/** What agents got; undefined where none was asked. Two that got different things for one slot both count. */
function appliedIn({ requests, reused }: Reply, { judging }: Domain): Constraint[] | undefined {
  const own = requests.filter(({ task }) => !judging.has(task));
  const asked: readonly Request[] = own.length > 0 ? own : reused;
  if (asked.length === 0) return undefined;
  const all = asked.flatMap(({ inputs }) => inputs.constraints ?? []);
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
