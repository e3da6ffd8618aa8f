import { ask } from "../../../services/gateway/test/support/http.ts";
import { LONGEST_STALL_MS } from "../../lib/loop-stalls.ts";
import { slowness } from "../../lib/machine-speed.ts";
import { GATEWAY } from "../../lib/services.ts";
import { thingsOf } from "../matrix.ts";
import type { World } from "../world.ts";
import { type Kind, MESSAGE_CHARS } from "./kinds.ts";
import { type Asker, agentRoute, decisionRoute, type LoadedRoute, ROUTES } from "./routes.ts";
import { longestIn, type Span, timed } from "./stalls.ts";

/** An agent parses a body at once. Its probes wait a second. */
const LONGEST_OF_AGENT_MS = 1_000;
/** Catalogues of 100,000 names fill caches, and a busy machine slows such work more than the piece of work by which its speed is measured. */
const MARGIN = 1.4;

/** A stall counts where it is there each time: on a busy machine the same work may take the thread a multiple. */
const TRIES = 3;

/** The longest stall that one kind of load led to on one route (ms at work). */
export type LoadCell = {
  readonly route: string;
  readonly kind: string;
  readonly ms: number;
  readonly most: number;
};

export const isLight = ({ ms, most }: LoadCell): boolean => ms <= most;

/** A process and the routes of it that are loaded. */
type Target = {
  readonly name: string;
  readonly most: number;
  readonly asker: Asker;
  readonly routes: readonly LoadedRoute[];
};

/** Sends every kind of load to every route that takes it, and prints a line for each route. */
export async function tryLoads(world: World, say: (line: string) => void): Promise<LoadCell[]> {
  const all: LoadCell[] = [];
  for (const target of await targetsOf(world)) {
    for (const route of target.routes) {
      const cells = await tryRoute(route, target, world);
      say(lineOf(route.route, cells));
      for (const cell of cells.filter((one) => !isLight(one))) say(`       ${cell.kind}: ${cell.ms} ms`);
      all.push(...cells);
    }
  }
  return all;
}

async function targetsOf(world: World): Promise<Target[]> {
  const { url, issuer, agents } = world;
  const decision = decisionRoute(await thingsOf(world), issuer.as("bo", ["pricing_approver"]));
  const gateway: Target = {
    name: GATEWAY,
    most: Math.round(LONGEST_STALL_MS * MARGIN * slowness()),
    asker: { url, headers: issuer.as("ann") },
    routes: [...ROUTES, decision],
  };
  const ofAgents = Object.entries(agents).map(
    ([taskType, agent]): Target => ({
      name: agent.name,
      most: LONGEST_OF_AGENT_MS,
      asker: { url: agent.url, headers: {} },
      routes: [agentRoute(agent.name, taskType)],
    }),
  );
  return [gateway, ...ofAgents];
}

async function tryRoute(route: LoadedRoute, target: Target, world: World): Promise<LoadCell[]> {
  const { name, most, asker } = target;
  const log = () => world.logs(name);
  const once = async (kinds: readonly Kind[]): Promise<number[]> => {
    const spans: Span[] = [];
    for (const { text } of kinds) {
      const load = text(MESSAGE_CHARS);
      spans.push(
        await timed(
          () => route.send(asker, load),
          () => ask(asker.url + route.idle),
        ),
      );
    }
    return longestIn(spans, log);
  };
  const first = await once(route.kinds);
  const least = new Map(route.kinds.map((kind, at) => [kind, first[at] ?? 0]));
  const heavy = () => route.kinds.filter((kind) => (least.get(kind) ?? 0) > most);
  for (let tries = 1; tries < TRIES && heavy().length > 0; tries++) {
    const kinds = heavy();
    const again = await once(kinds);
    for (const [at, kind] of kinds.entries()) least.set(kind, Math.min(least.get(kind) ?? 0, again[at] ?? 0));
  }
  return route.kinds.map((kind) => ({ route: route.route, kind: kind.name, ms: least.get(kind) ?? 0, most }));
}

/** The kinds that took longest, behind the route. */
function lineOf(route: string, cells: readonly LoadCell[]): string {
  const longest = [...cells].sort((one, other) => other.ms - one.ms).slice(0, 2);
  const mark = cells.every(isLight) ? "held  " : "FAILED";
  const named = longest.map(({ kind, ms }) => `${ms} ms (${kind})`).join(", ");
  return `${mark} loads     ${route.padEnd(50)} ${String(cells.length).padStart(3)} kinds, at most ${named}`;
}
