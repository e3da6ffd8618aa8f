import { createClient } from "@interlock/client";
import { say } from "./console.ts";
import type { MeshOptions } from "./layout.ts";
import { startMesh } from "./mesh.ts";
import { chatPrinter } from "./print-chat.ts";

/** Starts a mesh on free ports, prints the answer to one message as it comes, and stops. A failed answer sets exit code 1. */
export async function demo(message: string, options: MeshOptions): Promise<void> {
  const mesh = await startMesh(options);
  try {
    say(`POST ${mesh.url}/api/v1/chat?stream=true\n  "${message}"\n`);
    const print = chatPrinter((text) => process.stdout.write(text));
    const client = createClient({ baseUrl: mesh.url });
    const { signal } = options;
    for await (const event of client.chat(message, { sessionId: "demo-1", ...(signal ? { signal } : {}) })) {
      print(event);
      if (event.type === "end" && event.status !== "ok") process.exitCode = 1;
    }
  } finally {
    await mesh.stop();
  }
}
