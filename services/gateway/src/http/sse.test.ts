import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { closing } from "../../test/support/closing.ts";
import { EventReader } from "../../test/support/sse.ts";
import { until } from "../../test/support/until.ts";
import { type SseStream, SseStreams } from "./sse.ts";

const use = closing();
let streams: SseStreams;
let server: ReturnType<typeof createServer>;
let url: string;
let opened: Promise<SseStream>;

/** Serves one stream to each client. */
async function serve(stalledMs: number): Promise<void> {
  const next = Promise.withResolvers<SseStream>();
  opened = next.promise;
  streams = new SseStreams({ stalledMs });
  server = createServer((req, res) => {
    next.resolve(
      streams.open(res, Number(new URL(req.url ?? "", "http://x").searchParams.get("keepalive") ?? 0)),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  url = `http://127.0.0.1:${address.port}/`;
}

beforeEach(() => serve(30_000));

afterEach(stop);

function stop(): void {
  server.closeAllConnections();
  server.close();
}

/** A client that reads nothing. */
function deafClient(): Socket {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.pause().write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  use({ stop: () => socket.destroy() });
  return socket;
}

const MORE_THAN_SOCKETS_TAKE = 16;
const MEGABYTE = `data: ${"x".repeat(1024 * 1024)}\n\n`;

describe("a keepalive", () => {
  test("is a comment after the silence that was asked for, and never before", async () => {
    const start = performance.now();
    const reader = await EventReader.open(`${url}?keepalive=300`);
    const stream = await opened;
    await reader.untilComment(1);
    expect((reader.commentTimes[0] ?? 0) - start).toBeGreaterThanOrEqual(300);
    const written = performance.now();
    stream.write("data: 1\n\n");
    await reader.untilComment(2);
    expect((reader.commentTimes[1] ?? 0) - written).toBeGreaterThanOrEqual(300);
    stream.end();
    expect(await reader.over).toBe("ended");
  });
});

describe("a client that does not read", () => {
  test("is behind once a megabyte waits for it, and is dropped when it takes nothing", async () => {
    stop();
    await serve(200);
    deafClient();
    const stream = await opened;
    expect(stream.isBehind).toBe(false);
    for (let count = 0; count < MORE_THAN_SOCKETS_TAKE; count++) stream.write(MEGABYTE);
    expect(stream.isBehind).toBe(true);
    const gone = once(stream.signal, "abort");
    await stream.drained();
    await gone;
    expect(streams.size).toBe(0);
  });

  test("does not hold a stream that has ended", async () => {
    stop();
    await serve(200);
    deafClient();
    const stream = await opened;
    for (let count = 0; count < MORE_THAN_SOCKETS_TAKE; count++) stream.write(MEGABYTE);
    stream.end("data: last\n\n");
    await until(() => streams.size === 0);
  });

  test("gets everything when it reads again in time", async () => {
    const reader = await EventReader.open(url);
    const stream = await opened;
    reader.pause();
    for (let count = 0; count < MORE_THAN_SOCKETS_TAKE; count++) stream.write(MEGABYTE);
    const drained = stream.drained();
    reader.resume();
    await drained;
    expect(stream.isBehind).toBe(false);
    stream.end("data: last\n\n");
    expect(await reader.over).toBe("ended");
    expect(reader.frames).toHaveLength(MORE_THAN_SOCKETS_TAKE + 1);
  });
});

describe("a stream", () => {
  test("fires its signal once when the client goes away, and takes no more", async () => {
    const reader = await EventReader.open(url);
    const stream = await opened;
    const gone = once(stream.signal, "abort");
    reader.leave();
    await gone;
    stream.write("data: late\n\n");
    stream.end();
    expect(streams.size).toBe(0);
  });

  test("tells who follows it once that it is over, and late comers at once", async () => {
    const reader = await EventReader.open(url);
    const stream = await opened;
    const told: string[] = [];
    stream.whenClosed(() => told.push("follower"));
    stream.end();
    expect(await reader.over).toBe("ended");
    await until(() => streams.size === 0);
    stream.whenClosed(() => told.push("late"));
    stream.dispose();
    expect(told).toEqual(["follower", "late"]);
    expect(stream.signal.aborted).toBe(true);
  });

  test("ends with a hint when to come back where its replica stops, each at another time", async () => {
    const readers = await Promise.all(Array.from({ length: 20 }, () => EventReader.open(url)));
    await until(() => streams.size === readers.length);
    streams.endAll({ leastMs: 100, mostMs: 1_000 });
    const times = await Promise.all(
      readers.map(async (reader) => {
        expect(await reader.over).toBe("ended");
        const [, ms] = /^retry: (\d+)\n: this replica stops, come back\n\n$/.exec(reader.hints.join()) ?? [];
        return Number(ms);
      }),
    );
    expect(times.every((ms) => ms >= 100 && ms <= 1_000)).toBe(true);
    expect(new Set(times).size).toBeGreaterThan(5);
  });
});
