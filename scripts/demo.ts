/** `npm run demo`: starts the mesh on free ports, prints the answer to one composite ask, and stops. */
import { createClient } from "@interlock/client";
import { COMPOSITE_ASK } from "./lib/asks.ts";
import { fail, say } from "./lib/console.ts";
import { startMesh } from "./lib/mesh.ts";
import { chatPrinter } from "./lib/print-chat.ts";
import { stopSignal } from "./lib/stop-signal.ts";

async function main(): Promise<void> {
  const stopping = stopSignal();
  const mesh = await startMesh({ redisUrl: process.env.REDIS_URL || undefined, signal: stopping, say });
  try {
    say(`POST ${mesh.url}/api/v1/chat?stream=true\n  "${COMPOSITE_ASK}"\n`);
    const print = chatPrinter((text) => process.stdout.write(text));
    const client = createClient({ baseUrl: mesh.url });
    for await (const event of client.chat(COMPOSITE_ASK, { sessionId: "demo-1", signal: stopping })) {
      print(event);
      if (event.type === "end" && event.status !== "ok") process.exitCode = 1;
    }
  } finally {
    await mesh.stop();
  }
}

await main().catch(fail);
