import { exchangesOf, PROBES } from "../evidence.ts";
import { fail, failIf, notReached, pass } from "../verdict.ts";
import { type Check, check, hasContact, placeOf } from "./check.ts";

const RUN_PROBES = PROBES.filter((probe) => !["health", "ready", "card"].includes(probe));

export const httpChecks: readonly Check[] = [
  {
    rule: "AC1-HTTP-001",
    probes: ["health", "ready", "card", "sync"],
    judge: (evidence) => {
      if (hasContact(evidence)) return pass;
      const replies = exchangesOf(evidence, ...PROBES).map(({ reply }) => reply);
      const silent = replies.filter((reply) => reply.kind === "none");
      const telling = silent.find(({ why }) => why !== "time") ?? silent[0];
      return telling === undefined
        ? notReached("the time was up")
        : fail(`no answer from the agent: ${telling.words}`);
    },
  },
  check("AC1-HTTP-002", RUN_PROBES, (exchanges) => {
    const moved = exchanges.find(({ reply }) => reply.kind === "answer" && isRedirect(reply.status));
    const answered = exchanges.some(({ reply }) => reply.kind === "answer");
    if (moved === undefined && !answered) return notReached("no run endpoint answers");
    return failIf(moved && `${placeOf(moved)} answers with a redirect`);
  }),
];

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}
