import type { Held } from "./figures.ts";

/** A conversation that is not right in all of its turns, with what was said and what the agents got. */
export function toldInFull({ conversation: { id }, heard }: Held): string[] {
  const isRight = heard.every(
    ({ verdict }) =>
      !verdict ||
      (["right", "asked"].includes(verdict.verdict) && verdict.taskIsRight && !verdict.approval?.length),
  );
  if (isRight) return [];
  const lines = [`── ${id}`];
  for (const { turn, replies, verdict } of heard) {
    lines.push(`> ${turn.says}`);
    for (const reply of replies) {
      if (!reply) continue;
      const [first = ""] = reply.message.split("\n");
      const buttons = reply.buttons.length > 0 ? ` [${reply.buttons.join("] [")}]` : "";
      lines.push(`< ${reply.status === 200 ? "" : `${reply.status} ${reply.code} `}${first}${buttons}`);
    }
    if (!verdict) continue;
    const { taskIsRight, tasks, applied, dropped, wrong, named, approval, outOfScope } = verdict;
    lines.push(
      `  ${verdict.verdict}, task ${taskIsRight ? "right" : "wrong"}: ${tasks.join(", ") || "nothing"}`,
    );
    for (const [name, what] of Object.entries({ applied, dropped, wrong, named, approval }))
      if (what && what.length > 0)
        lines.push(`  ${name}: ${what.map((one) => JSON.stringify(one)).join(" ")}`);
    if (outOfScope) lines.push(`  out of scope: ${JSON.stringify(outOfScope)}`);
  }
  return lines;
}
