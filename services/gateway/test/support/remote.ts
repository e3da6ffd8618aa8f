import { randomUUID } from "node:crypto";
import { ANN, type LogEvent, openEvents, type Where } from "./people.ts";
import { EventReader } from "./sse.ts";

/** A mesh whose service `elsewhere` is another gateway; its one agent stays unused. */
export function frontMesh(url: string, remote: object = {}, agentUrl = "http://127.0.0.1:1") {
  return {
    egress: { allow: ["127.0.0.0/8"] },
    agents: { own: { url: agentUrl, tasks: { OWN: "Does nothing." } } },
    services: {
      elsewhere: {
        remote: { url, identity: "forward", ...remote },
        keywords: ["propose", "publish", "check", "explain", "hierarch", "robust"],
      },
    },
    general: "Ask for prices.",
    models: { default: "rules", allow: ["rules", "large", "small"] },
  };
}

export type Asked = { message: string; session_id?: string; inputs?: object };

/** Streams a turn in the run dialect. */
export function chat(where: Where, body: Asked, headers: Record<string, string> = ANN): Promise<EventReader> {
  return EventReader.open(`${where.url}/api/v1/chat?stream=true&dialect=run`, {
    headers,
    body: { session_id: randomUUID(), ...body },
  });
}

export const runOf = (stream: EventReader): string => String(stream.headers["x-run-id"]);

/** A run's events as text, in the run dialect, until it rests. */
export async function transcript(where: Where, runId: string, headers = ANN): Promise<string> {
  const stream = await openEvents(where, runId, headers);
  await stream.toEnd();
  return stream.text;
}

/** The run at the other gateway that a transcript of this one is the copy of. */
export async function remoteRuns(where: Where, headers: Record<string, string> = ANN): Promise<string[]> {
  const answer = await fetch(`${where.url}/api/v1/runs?limit=200`, { headers });
  const { runs } = (await answer.json()) as { runs: { run_id: string }[] };
  return runs.map(({ run_id }) => run_id);
}

export const typesOf = (events: readonly LogEvent[]): string[] => events.map(({ type }) => type);
