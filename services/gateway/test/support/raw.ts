import { once } from "node:events";
import { connect } from "node:net";
import type { Answer } from "./http.ts";

/** A connection on which a test writes what it likes. */
export type RawConnection = {
  write(text: string): void;
  /** What has come so far. */
  text(): string;
  /** Settles with all that came when the server has closed the connection. */
  closed: Promise<string>;
  stop(): void;
};

export async function rawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  // A reset ends the connection like a close.
  socket.on("error", () => undefined);
  const closed = once(socket, "close").then(() => text);
  await once(socket, "connect");
  return {
    write: (sent) => void socket.write(sent),
    text: () => text,
    closed,
    stop: () => void socket.destroy(),
  };
}

/** The one answer on a connection. @throws Error where it is none */
export function answerIn(text: string): Answer {
  const [, status, head = "", body = ""] =
    /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(text) ?? [];
  if (status === undefined) throw new Error(`not an answer: ${text.slice(0, 80)}`);
  const lines = head.split("\r\n").map((line) => line.split(/: (.*)/s));
  const headers = Object.fromEntries(lines.map(([name = "", value = ""]) => [name.toLowerCase(), value]));
  return { status: Number(status), headers, text: body, json: () => JSON.parse(body) };
}

/** Sends a text on a connection of its own and reads to the end of the connection. */
export async function askRaw(url: string, sent: string): Promise<Answer> {
  const connection = await rawConnection(url);
  connection.write(sent);
  return answerIn(await connection.closed);
}
