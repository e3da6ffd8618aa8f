import { readFileSync } from "node:fs";
import type { ManagedProcess } from "../cli/src/managed-process.ts";
import { until } from "./pace.ts";

const LISTENING = /Debugger listening on (ws:\/\/127\.0\.0\.1:\S+)/g;

/**
 * Bytes that a Node process holds after a full garbage collection. Garbage that is not collected yet would look like a leak, so the
 * process is told to collect first, through its inspector, which SIGUSR1 opens on the loopback interface.
 */
export async function heldBytes(process_: ManagedProcess): Promise<number> {
  const { pid } = process_;
  if (pid === undefined) throw new Error(`${process_.name} does not run`);
  const opened = () => [...readFileSync(process_.logFile, "utf8").matchAll(LISTENING)];
  const before = opened().length;
  // Not through its handle, which expects a process to end after a signal.
  process.kill(pid, "SIGUSR1");
  await until(() => opened().length > before, 2_000);
  const url = opened().at(-1)?.[1];
  if (url === undefined) throw new Error(`${process_.name} does not open its inspector`);
  const socket = new WebSocket(url);
  try {
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = () => reject(new Error(`the inspector of ${process_.name} does not answer`));
    });
    await command(socket, 1, "HeapProfiler.collectGarbage");
    const usage = await command(socket, 2, "Runtime.getHeapUsage");
    return Number(usage.usedSize) + Number(usage.backingStorageSize ?? 0);
  } finally {
    socket.close();
  }
}

async function command(
  socket: WebSocket,
  id: number,
  method: string,
): Promise<Readonly<Record<string, unknown>>> {
  return await new Promise((resolve) => {
    socket.onmessage = ({ data }) => {
      const answer = JSON.parse(String(data)) as { id?: number; result?: Record<string, unknown> };
      if (answer.id === id) resolve(answer.result ?? {});
    };
    socket.send(JSON.stringify({ id, method }));
  });
}
