import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startGuard } from "./guard.ts";
import { OwnAgentProcess } from "./own-agent-process.ts";
import type { OwnAgent, OwnAgents } from "./own-agents.ts";

export interface RunningAgents {
  /** Those that are ready, once each of them is ready, has ended, or had the time to become ready. */
  settled(): Promise<readonly OwnAgent[]>;
  stop(): Promise<void>;
}

const READY_LIMIT_MS = 30_000;

/** Starts the agents that the manifest has a command for. However this process ends, they end too. */
export function startOwnAgents(
  { agents, left }: OwnAgents,
  options: {
    logDir: string;
    signal: AbortSignal;
    say: (text: string) => void;
    /** Milliseconds that each may take to become ready. */
    limitMs?: number;
  },
): RunningAgents {
  const { logDir, signal, say, limitMs = READY_LIMIT_MS } = options;
  for (const why of left) say(why);
  if (agents.length === 0) return { settled: async () => [], stop: async () => undefined };
  mkdirSync(logDir, { recursive: true });
  const guard = startGuard();
  const env = { ...process.env, SHUTDOWN_GRACE_MS: "3000" };
  const running = agents.map((agent) => {
    const logFile = join(logDir, `${agent.name}.log`);
    const handle = new OwnAgentProcess(agent, { guard, env, logFile, say });
    return { agent, handle, started: handle.start(limitMs, signal) };
  });
  return {
    async settled() {
      const outcomes = await Promise.all(running.map(({ started }) => started));
      return agents.filter(
        (_, index) => outcomes[index] === "ready" || outcomes[index] === "answers already",
      );
    },
    async stop() {
      await Promise.all(running.map(({ handle }) => handle.stop()));
      await guard.close();
    },
  };
}
