import type { Mesh } from "../lib/mesh.ts";

/** Kills every process of a mesh at once, as a power cut would, and starts all of them again. */
export class Outage {
  readonly #mesh: Mesh;

  constructor(mesh: Mesh) {
    this.#mesh = mesh;
  }

  async strike(): Promise<string> {
    const { processes } = this.#mesh;
    const running = processes.filter((process) => process.running);
    if (running.length < processes.length) throw new Error("a process had ended before");
    for (const process of processes) process.kill("SIGKILL");
    await Promise.all(processes.map((process) => process.exited()));
    const started = performance.now();
    for (const process of processes) process.start();
    await Promise.all(processes.map((process) => process.ready()));
    return `${processes.length} processes, ready again in ${((performance.now() - started) / 1000).toFixed(1)} s`;
  }
}
