import { json, type Part, streamOf } from "./agent.ts";
import { type BrokenPeer, broken } from "./peer.ts";
import { serveSocket } from "./serve.ts";

const CHUNK = 64 * 1024;

/** Repeats the same piece for ever, as fast as it is read. */
function* flood(piece: string, head = ""): Generator<Part> {
  if (head !== "") yield head;
  const block = Buffer.from(piece.repeat(Math.ceil(CHUNK / piece.length)));
  for (;;) yield block;
}

function* drip(piece: string, everyMs: number): Generator<Part> {
  for (;;) {
    yield piece;
    yield { waitMs: everyMs };
  }
}

/** Agents that would exhaust the memory of a reader without limits. */
export const floods: readonly BrokenPeer[] = [
  broken("AC1-STREAM-016", "streams events without end", () => ({
    stream: () => streamOf(flood('data: {"a":1}\n\n')),
  })),
  broken("AC1-STREAM-016", "streams comments without end", (base) => ({
    stream: (run) => streamOf(flood(":\n", base.events(run).slice(0, 1).map(base.encode).join(""))),
  })),
  broken("AC1-STREAM-015", "streams a line without end", () => ({
    stream: () => streamOf(flood("x", 'data: {"a":"')),
  })),
  broken("AC1-STREAM-015", "streams an event of endless lines", () => ({
    stream: () => streamOf(flood("data: 1\n")),
  })),
  broken("AC1-STREAM-015", "streams an endless name of a field", () => ({
    stream: () => streamOf(flood("x")),
  })),
  broken("AC1-STREAM-008", "goes on for ever after its end", (base) => ({
    stream: (run) => streamOf(flood("data: {}\n\n", base.events(run).map(base.encode).join(""))),
  })),
  broken("AC1-SYNC-009", "sync is a text without end", () => ({
    sync: () => ({ ...json(200, {}), parts: flood("x", '{"a":"') }),
  })),
  broken("AC1-SYNC-009", "sync is a list of lists without end", () => ({
    sync: () => ({ ...json(200, {}), parts: flood("[],", '{"a":[') }),
  })),
  broken("AC1-SYNC-009", "sync is a nesting without end", () => ({
    sync: () => ({ ...json(200, {}), parts: flood("[") }),
  })),
  broken("AC1-REFUSE-005", "refuses with a text without end", (base) => ({
    refuse: (refused) => ({
      ...base.refuse(refused),
      ...(refused.code === "INVALID_REQUEST" ? { parts: flood("x", '{"a":"') } : {}),
    }),
  })),
  broken("AC1-CARD-001", "has a card without end", () => ({
    card: () => ({ ...json(200, {}), parts: flood(" ") }),
  })),
  {
    rule: "AC1-HTTP-001",
    name: "has a header without end",
    serve: () =>
      serveSocket((socket) => {
        const line = `x-flood: ${"x".repeat(1000)}\r\n`.repeat(60);
        socket.write("HTTP/1.1 200 OK\r\n");
        const more = (): void => {
          while (!socket.destroyed && socket.write(line));
        };
        socket.on("drain", more);
        more();
      }),
  },
];

/** Agents that would block a reader without timeouts for ever. */
export const hangs: readonly BrokenPeer[] = [
  broken("AC1-STREAM-016", "trickles for ever", () => ({ stream: () => streamOf(drip("data: {}\n\n", 50)) })),
  broken("AC1-SYNC-008", "sync trickles for ever", () => ({
    sync: () => ({ ...json(200, {}), parts: drip(" ", 50) }),
  })),
  {
    rule: "AC1-HTTP-001",
    name: "takes connections and says nothing",
    serve: () => serveSocket((socket) => socket.resume()),
  },
];
