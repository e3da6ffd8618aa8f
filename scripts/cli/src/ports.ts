import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ephemeral range, so that no outgoing connection takes one of these ports by chance. */
const FIRST = 20_000;
const LAST = 30_000;

export function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** Distinct ports that are free now. They are random, so that parallel runs rarely choose the same one. */
export async function freePorts(count: number, host: string): Promise<number[]> {
  const found = new Set<number>();
  for (let tries = 0; found.size < count; tries += 1) {
    if (tries > 200 + count) throw new Error(`no free port on ${host} between ${FIRST} and ${LAST}`);
    const port = randomInt(FIRST, LAST);
    if (!found.has(port) && (await isFree(port, host))) found.add(port);
  }
  return [...found];
}

export async function freePort(host: string): Promise<number> {
  const [port] = await freePorts(1, host);
  if (port === undefined) throw new Error(`no free port on ${host}`);
  return port;
}
