import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export type AgentProcess = {
  readonly url: string;
  readonly child: ChildProcess;
  /** Output so far. */
  output(): string;
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;
};

export type Exit = { readonly code: number | null; readonly output: string };

function launch(file: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  const exited = once(child, "close").then(([code]): number | null => code);
  return { child, exited, output: () => output };
}

/** Runs a file until it exits. */
export async function runToExit(file: string, env: Readonly<Record<string, string>> = {}): Promise<Exit> {
  const { exited, output } = launch(file, env);
  return { code: await exited, output: output() };
}

/** Starts a file that serves an agent, and waits for the line with its URL. */
export async function startProcess(
  file: string,
  env: Readonly<Record<string, string>> = {},
): Promise<AgentProcess> {
  const { child, exited, output } = launch(file, env);
  const url = await new Promise<string>((resolve, reject) => {
    const look = (): void => {
      const found = /"url":"([^"]+)"/.exec(output())?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", look);
    void exited.then(() => reject(new Error(`the agent ended: ${output()}`)));
  });
  return { url, child, output, exited };
}
