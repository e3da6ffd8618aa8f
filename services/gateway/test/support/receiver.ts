import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

export type Delivered = { headers: Record<string, string>; body: string };
export type Told = { type: string; timestamp: string; data: Record<string, unknown> };
type Answer = (delivered: Delivered, nth: number) => number | "nothing";

/** Receives webhooks on a real port. `answer` says what it makes of one: a status, or no answer at all. */
export async function receiver(answer: Answer = () => 204, port = 0) {
  const delivered: Delivered[] = [];
  const server = createServer(async (req, res) => {
    let body = "";
    for await (const chunk of req) body += chunk;
    const one = { headers: textsOf(req.headers), body };
    delivered.push(one);
    const status = answer(one, delivered.length);
    if (status !== "nothing") res.writeHead(status, { location: "http://127.0.0.1:1/" }).end();
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const taken = (server.address() as AddressInfo).port;
  return {
    port: taken,
    url: `http://127.0.0.1:${taken}/hook`,
    delivered,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function textsOf(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** What it says, as a receiver that checks the signature reads it. */
export const verified = (secret: string, { body, headers }: Delivered) =>
  new Webhook(secret).verify(body, headers) as Told;

export const idsOf = (all: readonly Delivered[]) => new Set(all.map(({ headers }) => headers["webhook-id"]));
