/**
 * Kills every process of a mesh at once, three times: during a plan, while the plan waits for its approval, and after its end. Nothing
 * that was acknowledged may be lost, and the approved effect must happen once.
 */
import { fail, say } from "../cli/src/console.ts";
import { stopSignal } from "../cli/src/stop-signal.ts";
import { startMesh } from "../lib/mesh.ts";
import { conclude, runChecks } from "../lib/run-checks.ts";
import { Outage } from "./outage.ts";
import { PublishingStory } from "./publishing-story.ts";

async function main(): Promise<void> {
  const signal = stopSignal();
  const mesh = await startMesh({ replicas: { gateway: 2 }, signal });
  const outage = new Outage(mesh);
  const story = new PublishingStory(mesh);
  try {
    const count = await runChecks(
      [
        ["killed in the middle of a plan: its stream goes on to the pause", () => story.pause(outage)],
        ["killed while it waits for approval: all comes up again", () => outage.strike()],
        ["the other replica gives the stream from its middle, without a gap", () => story.readAgain()],
        ["approved on both replicas at once: one decision", () => story.approveTwice()],
        ["the stream goes on from its middle to its one end", () => story.readToEnd()],
        ["the approved prices were published once", () => story.publishedOnce()],
        ["killed after the end: all comes up again", () => outage.strike()],
        ["both replicas still tell the same story", () => story.isKept()],
      ],
      signal,
    );
    if (count.failed > 0) {
      for (const process of mesh.processes) say(`\n${process.name}:\n${process.logTail(20)}`);
    }
    conclude(count);
  } finally {
    story.close();
    await mesh.stop();
  }
}

await main().catch(fail);
