import { readFileSync } from "node:fs";
import { type Spread, spreadOf } from "./figures.ts";
import { Connection, exchange } from "./http.ts";

export type PostsResult = {
  /** Milliseconds from the request to its whole answer. */
  readonly ms: Spread;
  readonly answerBytes: number;
};

/** Sends the same large document so many times, one after the other. */
export async function postDocument(
  url: string,
  path: string,
  file: string,
  times: number,
): Promise<PostsResult> {
  const body = readFileSync(file, "latin1");
  const connection = new Connection(url);
  const ms: number[] = [];
  let answerBytes = 0;
  for (let time = 0; time < times; time++) {
    const since = performance.now();
    const { status, text } = await exchange(connection, { path, body });
    if (status !== 200 || !text.includes('"status":"ok"'))
      throw new Error(`the agent answered ${status} ${text.slice(0, 300)}`);
    ms.push(performance.now() - since);
    answerBytes = text.length;
  }
  connection.close();
  return { ms: spreadOf(ms), answerBytes };
}
