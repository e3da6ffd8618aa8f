import { randomUUID } from "node:crypto";
import { EventReader } from "../../services/gateway/test/support/sse.ts";
import { answerTo } from "./answer.ts";
import { approvalJudge } from "./approval.ts";
import { confirmation } from "./confirm.ts";
import type { Domain } from "./domain.ts";
import { Meaning } from "./meaning.ts";
import { asksBack, type Reply } from "./reply.ts";
import type { Conversation, Turn } from "./set.ts";
import { goalsOf, judge, type Verdict } from "./verdict.ts";
import type { World } from "./world.ts";

export type Heard = {
  readonly turn: Turn;
  readonly replies: readonly [Reply, Reply?];
  readonly verdict?: Verdict;
};

/** Who talks, and who may see what waits for an approval. */
export type People = { readonly analyst: string; readonly approver: string };

type Answer = {
  readonly message?: string;
  readonly thread_id?: string;
  readonly ui_hint?: { readonly buttons?: readonly string[] };
  readonly approval?: { readonly id: string };
  readonly refused?: { readonly code: string };
  readonly code?: string;
};

/** Holds a conversation, and judges each turn. @param given the catalogue that it brings */
export async function hold(
  conversation: Conversation,
  given: Readonly<Record<string, unknown>> | undefined,
  { domain, world, people }: { domain: Domain; world: World; people: People },
): Promise<Heard[]> {
  const catalogue = given ?? domain.catalogue;
  const meaning = new Meaning(domain, catalogue);
  const { language, turns } = conversation;
  const judging = { domain, meaning, language, judgeApproval: approvalJudge(domain, meaning, catalogue) };
  const session = randomUUID();
  const say = (message: string, inputs?: object) => sayTo(world, people, { message, session, inputs });
  const heard: Heard[] = [];
  for (const [at, turn] of turns.entries()) {
    const { says, wants } = turn;
    const first = await say(says, at === 0 ? given : undefined);
    const isOpen = wants !== undefined && asksBack(first) && !isDone(first, turn, domain);
    const asked = { domain, language, catalogue };
    const answer = isOpen ? (confirmation(first, wants, asked) ?? answerTo(first, wants, asked)) : undefined;
    const replies: [Reply, Reply?] = answer === undefined ? [first] : [first, await say(answer)];
    heard.push({ turn, replies, ...(wants ? { verdict: judge(wants, replies, judging) } : {}) });
  }
  return heard;
}

/** Whether there is nothing to answer: nothing was to be done, or the effect that it asks about is not wanted. */
function isDone({ requests }: Reply, { wants }: Turn, domain: Domain): boolean {
  if (!wants) return true;
  const goals = goalsOf(wants, domain);
  if (!goals.every((goal) => domain.goals.has(goal))) return true;
  return requests.length > 0 && !goals.some((goal) => domain.approved.has(goal));
}

async function sayTo(
  { mesh, recorder }: World,
  { analyst, approver }: People,
  { message, session, inputs }: { message: string; session: string; inputs: object | undefined },
): Promise<Reply> {
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  const response = await fetch(`${mesh.url}/api/v1/chat`, {
    method: "POST",
    headers: { ...as(analyst), "content-type": "application/json" },
    body: JSON.stringify({ message, session_id: session, ...(inputs ? { inputs } : {}) }),
  });
  const answer = (await response.json()) as Answer;
  const { thread_id: run, approval, refused, code = refused?.code } = answer;
  const earlier = run === undefined ? [] : await takenFrom(mesh.url, run, as(analyst));
  const payload =
    approval && (await fetch(`${mesh.url}/api/v1/approvals/${approval.id}`, { headers: as(approver) }));
  return {
    status: response.status,
    message: answer.message ?? "",
    buttons: answer.ui_hint?.buttons ?? [],
    requests: run === undefined ? [] : recorder.of(run),
    reused: earlier.flatMap(({ run: of, task }) =>
      recorder.of(of).filter((request) => request.task === task),
    ),
    ...(payload ? { approval: ((await payload.json()) as { proposal: unknown }).proposal ?? null } : {}),
    ...(code === undefined ? {} : { code }),
  };
}

/** The tasks whose results a run took from earlier runs, and from which. */
async function takenFrom(
  url: string,
  run: string,
  headers: Record<string, string>,
): Promise<{ run: string; task: string }[]> {
  const stream = await EventReader.open(`${url}/api/v1/runs/${run}/events`, { headers });
  await stream.toEnd();
  return stream.frames.flatMap(({ data }) => {
    const { taken_from, task_type } = Object(JSON.parse(data).data);
    return typeof taken_from === "string" ? [{ run: taken_from, task: String(task_type) }] : [];
  });
}
