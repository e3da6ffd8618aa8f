import { type Spread, spreadOf } from "./figures.ts";
import { Connection } from "./http.ts";
import { Troubles } from "./job.ts";
import { readStream } from "./read-stream.ts";
import { stream } from "./requests.ts";

export type ConversationsOptions = {
  readonly url: string;
  readonly conversations: number;
  readonly rounds: number;
};

export type ConversationsResult = {
  /** Milliseconds from the ask, connection included, to the first event of the stream, and to the agent's first. */
  readonly firstMs: Spread;
  readonly agentMs: Spread;
  readonly bad: number;
  readonly trouble: string;
};

/** What each goes on with while the others begin. */
const TALK = { events: 20, every_ms: 20 };

/** So many people who begin to talk in the same moment, a few times over. */
export async function converse(options: ConversationsOptions): Promise<ConversationsResult> {
  const firstMs: number[] = [];
  const agentMs: number[] = [];
  const troubles = new Troubles();
  const talk = async () => {
    const connection = new Connection(options.url);
    const since = performance.now();
    let seen = 0;
    try {
      const { over } = await readStream(connection, stream("gateway", TALK), "gateway", {
        first: () => firstMs.push(performance.now() - since),
        event: () => {
          if (++seen === 1) agentMs.push(performance.now() - since);
        },
      });
      if (!over || seen !== TALK.events) troubles.add(`${seen} events`);
    } catch (error) {
      troubles.add(String(error));
    }
    connection.close();
  };
  for (let round = 0; round < options.rounds; round++) {
    await Promise.all(Array.from({ length: options.conversations }, talk));
  }
  return {
    firstMs: spreadOf(firstMs),
    agentMs: spreadOf(agentMs),
    bad: troubles.count,
    trouble: troubles.first,
  };
}
