import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../../lib/paths.ts";
import type { CpuProfile } from "./profiler.ts";

/** A part of the busy time, by where it was spent. */
export type Cost = { readonly where: string; readonly share: number };

export type ProfileSummary = {
  /** Share of the time in which the process did anything. */
  readonly busy: number;
  readonly functions: readonly Cost[];
  readonly modules: readonly Cost[];
};

type Frame = CpuProfile["nodes"][number]["callFrame"];

/** Self time, idle time left out: by function, and by package or file of ours. */
export function summarise(profile: CpuProfile, top: number): ProfileSummary {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const callers = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  /** A system call, or Node's part in it, is somebody's doing: the nearest package or file of ours that asked for it. */
  const onBehalfOf = (id: number): string => {
    if (!isRuntime(frames.get(id))) return "";
    for (let at = callers.get(id); at !== undefined; at = callers.get(at)) {
      const frame = frames.get(at);
      if (frame && frame.url !== "" && !isRuntime(frame)) return ` for ${moduleOf(frame)}`;
    }
    return "";
  };
  const byFunction = new Map<string, number>();
  const byModule = new Map<string, number>();
  let all = 0;
  let idle = 0;
  for (const [index, id] of profile.samples.entries()) {
    const frame = frames.get(id);
    const us = Math.max(0, profile.timeDeltas[index] ?? 0);
    all += us;
    if (!frame || frame.functionName === "(idle)") {
      idle += us;
      continue;
    }
    add(byFunction, functionOf(frame) + onBehalfOf(id), us);
    add(byModule, moduleOf(frame), us);
  }
  const busy = all - idle;
  return { busy: busy / all, functions: most(byFunction, busy, top), modules: most(byModule, busy, top) };
}

function isRuntime(frame: Frame | undefined): boolean {
  return frame !== undefined && (frame.url === "" || frame.url.startsWith("node:"));
}

function functionOf(frame: Frame): string {
  const name = frame.functionName || "(anonymous)";
  return frame.url === "" ? name : `${name} ${moduleOf(frame)}:${frame.lineNumber + 1}`;
}

/** A package, a module of Node, a file of ours, or what the engine did itself. */
export function moduleOf({ url, functionName }: Frame): string {
  const parts = url.split("/node_modules/");
  const inner = parts.length > 1 ? parts.at(-1) : undefined;
  const dependency = inner === undefined ? undefined : /^(?:@[^/]+\/)?[^/]+/.exec(inner)?.[0];
  if (dependency !== undefined) return dependency;
  if (url.startsWith("node:")) return url;
  if (url.startsWith("file:")) return relative(root, fileURLToPath(url));
  return functionName.startsWith("(") ? functionName : "(native)";
}

function add(costs: Map<string, number>, where: string, us: number): void {
  costs.set(where, (costs.get(where) ?? 0) + us);
}

function most(costs: ReadonlyMap<string, number>, busy: number, top: number): Cost[] {
  return [...costs]
    .sort(([, a], [, b]) => b - a)
    .slice(0, top)
    .map(([where, us]) => ({ where, share: Math.round((us / busy) * 1000) / 1000 }));
}
