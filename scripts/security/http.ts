import { once } from "node:events";
import { connect } from "node:net";
import { type Ask, ask } from "../../services/gateway/test/support/http.ts";

/** Status and code of an answer: `401 unauthorized`. */
export async function verdict(url: string, options: Ask = {}): Promise<string> {
  try {
    const { status, text } = await ask(url, options);
    return said(status, text);
  } catch (error) {
    // A server may close the connection while a large body is still being sent.
    if (Error.isError(error) && "code" in error && /^(?:EPIPE|ECONNRESET)$/.test(String(error.code)))
      return "closed";
    throw error;
  }
}

export function said(status: number, text: string): string {
  const code = status < 400 ? undefined : /"code":"(\w+)"/.exec(text)?.[1];
  return code === undefined ? String(status) : `${status} ${code}`;
}

/**
 * Sends bytes as they are, and waits until the gateway has closed the connection or has been silent for a while.
 * @returns the verdicts of all answers on the connection, or `closed`
 */
export async function raw(url: string, bytes: string | Buffer, silenceMs = 1_500): Promise<string> {
  const text = await rawText(url, bytes, silenceMs);
  const answers = text.split(/(?=HTTP\/1\.[01] \d{3})/).flatMap((one) => {
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(one)?.[1];
    return status === undefined ? [] : [said(Number(status), one)];
  });
  return answers.length === 0 ? "closed" : answers.join(", ");
}

export async function rawText(url: string, bytes: string | Buffer, silenceMs = 1_500): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => undefined);
  socket.setTimeout(silenceMs, () => socket.destroy());
  const closed = once(socket, "close");
  socket.write(bytes);
  await closed;
  return Buffer.concat(chunks).toString("latin1");
}

/** A request's text with its head as given: no header is added. */
export function requestText(line: string, headers: readonly string[], body = ""): string {
  return `${[line, ...headers].join("\r\n")}\r\n\r\n${body}`;
}
