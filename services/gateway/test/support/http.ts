import { once } from "node:events";
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";

export type Ask = { method?: string; headers?: Record<string, string>; body?: unknown };

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json(): Record<string, unknown>;
};

/** One request on a connection of its own. A body that is text or bytes goes out as it is. */
export async function ask(url: string, options: Ask = {}): Promise<Answer> {
  const res = await open(url, options).response;
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return { status: res.statusCode ?? 0, headers: res.headers, text, json: () => JSON.parse(text) };
}

export function open(url: string, { method, headers = {}, body }: Ask) {
  const raw = typeof body === "string" || body instanceof Uint8Array;
  const req: ClientRequest = request(url, {
    agent: false,
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: { ...(body === undefined || raw ? {} : { "content-type": "application/json" }), ...headers },
  });
  // A server that refuses a body closes before all of it was sent, perhaps after its answer.
  req.on("error", () => undefined);
  const response = once(req, "response").then(([res]): IncomingMessage => res);
  req.end(body === undefined || raw ? body : JSON.stringify(body));
  return { req, response };
}
