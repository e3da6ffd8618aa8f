/** What a page does with the client. It is only compiled: with the DOM's types and without those of Node. */
import { type ChatEvent, createClient, StreamTruncatedError } from "@interlock/client";

const client = createClient({ baseUrl: "", token: async () => localStorage.getItem("token") ?? "" });

export async function show(message: string, into: { append(text: string): void }): Promise<void> {
  try {
    for await (const event of client.chat(message, { sessionId: "page" })) into.append(textOf(event));
  } catch (error) {
    if (!(error instanceof StreamTruncatedError)) throw error;
    into.append(`The connection broke after event ${error.lastSeq}.`);
  }
}

function textOf(event: ChatEvent): string {
  if (event.type === "token") return event.token;
  if (event.type === "tool_call") return `${event.tool_call.name}: ${event.tool_call.status}`;
  // @ts-expect-error other events have no text of their own
  return event.token;
}

// @ts-expect-error a turn needs a session
export const wrong = client.chat("hello", {});

export async function stored(): Promise<readonly string[]> {
  const { runs } = await client.runs.list();
  return runs.map(({ run_id }) => run_id);
}
