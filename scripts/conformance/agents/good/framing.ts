import { EVENT_STREAM, type Event, json, type Part, type Reply, streamOf, textOf } from "../agent.ts";
import { type Peer, peer } from "../peer.ts";

function bytesOf(reply: Reply): Buffer {
  return Buffer.from(textOf(reply));
}
function inPieces(bytes: Uint8Array, length: number): Part[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
    bytes.subarray(at * length, (at + 1) * length),
  );
}
function pretty([name, data]: Event, end: string): string {
  const lines = JSON.stringify(data, null, 2)
    .split("\n")
    .map((line) => `data: ${line}${end}`);
  return `event: ${name}${end}${lines.join("")}${end}`;
}

/** Rewrites the text of the stream. */
function rewritten(name: string, rewrite: (text: string) => string): Peer {
  return peer(name, (base) => ({ stream: (run) => streamOf([rewrite(textOf(base.stream(run)))]) }));
}

/** Unusual bytes that HTTP, JSON or the WHATWG event stream format allow. */
export const oddFramings: readonly Peer[] = [
  rewritten("CRLF", (text) => text.replaceAll("\n", "\r\n")),
  rewritten("lone CR", (text) => text.replaceAll("\n", "\r")),
  rewritten("line ends of all kinds", (text) => {
    const ends = ["\n", "\r\n", "\r"];
    let at = 0;
    return text.replaceAll("\n\n", "\r\n\r\n").replaceAll(/(?<!\r)\n/g, () => ends[at++ % 3] ?? "");
  }),
  rewritten("a byte order mark", (text) => `\ufeff${text}`),
  rewritten("comments", (text) => `: hello\n\n${text.replaceAll("\n\n", "\n: in between\n\n:\n\n")}`),
  rewritten("no space after the colon", (text) => text.replaceAll(": ", ":")),
  rewritten("ids, retry times and unknown fields", (text) =>
    text.replaceAll("event:", "id: 7\nretry: 100\nfoo\nbar: baz\nevent:"),
  ),
  rewritten("data before the name", (text) => text.replaceAll(/(event: .*)\n(data: .*)\n/g, "$2\n$1\n")),
  rewritten("a name said twice, the last counts", (text) =>
    text.replaceAll("event: ", "event: final\nevent: "),
  ),
  rewritten("a final without data is no event", (text) => `event: final\n\n${text}event: done\n\n`),
  rewritten("comments after the terminal event", (text) => `${text}: bye\n\n:\n`),
  rewritten("ids written with escapes", (text) =>
    text.replaceAll("conformance-", "\\u0063onformance\\u002d"),
  ),
  peer("data on many lines", (base) => ({ encode: (event) => pretty(event, "\n"), stream: base.stream })),
  peer("data on many lines, with CRLF", (base) => ({
    encode: (event) => pretty(event, "\r\n"),
    stream: base.stream,
  })),
  peer("one byte a write", (base) => ({ stream: (run) => streamOf(inPieces(bytesOf(base.stream(run)), 1)) })),
  peer("three bytes a write, with CRLF", (base) => ({
    stream: (run) => streamOf(inPieces(Buffer.from(textOf(base.stream(run)).replaceAll("\n", "\r\n")), 3)),
  })),
  peer("two events in one write", (base) => ({ stream: (run) => streamOf([textOf(base.stream(run))]) })),
  peer("a character in two writes", (base) => ({
    stream: (run) => {
      const bytes = bytesOf(base.stream(run));
      const cut = bytes.indexOf("½") + 1;
      return streamOf([bytes.subarray(0, cut), { waitMs: 20 }, bytes.subarray(cut)]);
    },
  })),
  peer("media types with parameters and capitals", (base) => ({
    sync: (run) => ({ ...base.sync(run), headers: { "content-type": "Application/JSON; charset=UTF-8" } }),
    stream: (run) => ({
      ...base.stream(run),
      headers: { ...EVENT_STREAM, "content-type": "Text/Event-Stream;charset=utf-8" },
    }),
  })),
  peer("JSON under a name of its own, with white space", (base) => ({
    sync: (run) => ({
      status: 200,
      headers: { "content-type": "application/vnd.echo+json" },
      parts: [`\n\t ${JSON.stringify(base.result(run), null, 4)} \r\n`],
    }),
    refuse: (refused) =>
      json(refused.status, base.refusal(refused), { "content-type": "application/problem+json" }),
  })),
  peer("sync in pieces of one byte", (base) => ({
    sync: (run) => ({ ...base.sync(run), parts: inPieces(bytesOf(base.sync(run)), 1) }),
  })),
  peer("a body that ends with the connection, as in HTTP/1.0", (base) => ({
    sync: (run) => ({ ...base.sync(run), framing: "until close" }),
    stream: (run) => ({ ...base.stream(run), framing: "until close" }),
  })),
  peer("early hints before the answer", (base) => ({
    sync: (run) => ({ ...base.sync(run), framing: "after hints" }),
    stream: (run) => ({ ...base.stream(run), framing: "after hints" }),
  })),
  peer("says that nothing is encoded", (base) => ({
    sync: (run) => ({
      ...base.sync(run),
      headers: { "content-type": "application/json", "content-encoding": "identity" },
    }),
  })),
];
