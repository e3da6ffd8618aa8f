import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { FaultProxy } from "./fault-proxy.ts";

let upstream: Server;
let proxy: FaultProxy;
let received = "";

beforeEach(async () => {
  received = "";
  // Answers every line with itself in capitals.
  upstream = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      received += data;
      socket.write(String(data).toUpperCase());
    });
  });
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  proxy = await FaultProxy.start((upstream.address() as AddressInfo).port);
});
afterEach(async () => {
  await proxy.close();
  upstream.close();
});

type Peer = { socket: Socket; heard: () => string; closed: Promise<unknown> };

async function join(): Promise<Peer> {
  const socket = connect(proxy.port, "127.0.0.1");
  let text = "";
  socket.on("data", (data) => {
    text += data;
  });
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await once(socket, "connect");
  return { socket, heard: () => text, closed };
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (condition()) return;
    await sleep(10);
  }
  throw new Error("did not come true");
}

const any = () => true;

test("passes both ways, also late and in order", async () => {
  const peer = await join();
  peer.socket.write("one ");
  await until(() => peer.heard() === "ONE ");
  proxy.delay(60);
  const begun = performance.now();
  for (const word of ["two ", "three ", "four"]) peer.socket.write(word);
  await until(() => peer.heard() === "ONE TWO THREE FOUR");
  expect(performance.now() - begun).toBeGreaterThan(110);
});

test("a cut ends every connection, and new ones work", async () => {
  const peers = [await join(), await join()];
  proxy.cut();
  await Promise.all(peers.map(({ closed }) => closed));
  const after = await join();
  after.socket.write("x");
  await until(() => after.heard() === "X");
});

test("a silenced connection stays open and says nothing; a new one works", async () => {
  const old = await join();
  proxy.silence();
  old.socket.write("lost");
  const fresh = await join();
  fresh.socket.write("x");
  await until(() => fresh.heard() === "X");
  expect([old.heard(), old.socket.destroyed, received]).toEqual(["", false, "x"]);
});

test("a hole swallows everything, also of new connections, and leaves resets behind", async () => {
  proxy.hole(true);
  const peer = await join();
  peer.socket.write("lost");
  await sleep(50);
  expect([peer.heard(), received, peer.socket.destroyed]).toEqual(["", "", false]);
  proxy.hole(false);
  await peer.closed;
});

test("a dropped reply: the request arrived, the answer did not", async () => {
  const peer = await join();
  peer.socket.write("first ");
  await until(() => peer.heard() === "FIRST ");
  const dropped = proxy.dropReply((request) => request.includes("second"), 2_000);
  peer.socket.write("second");
  expect(await dropped).toBe(true);
  await peer.closed;
  expect([peer.heard(), received]).toEqual(["FIRST ", "first second"]);
  expect(await proxy.dropReply(any, 20)).toBe(false);
});

test("a reply is cut after exactly so many bytes", async () => {
  for (const after of [0, 1, 5]) {
    const peer = await join();
    const forwarded = proxy.cutReply(after, any);
    peer.socket.write("abcdef");
    await peer.closed;
    expect([after, peer.heard(), String(await forwarded)]).toEqual([
      after,
      "ABCDEF".slice(0, after),
      "ABCDEF".slice(0, after),
    ]);
  }
});
