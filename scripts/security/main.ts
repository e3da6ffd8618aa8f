/** `npm run -s security`: attacks a real mesh, and prints what each attack expected and got. */
import { parseArgs } from "node:util";
import { fail, say } from "../cli/src/console.ts";
import { stopSignal } from "../cli/src/stop-signal.ts";
import { conclude } from "../lib/run-checks.ts";
import { type Area, isHeld, type Tried, tryAll } from "./attack.ts";
import { BODIES } from "./attacks/bodies.ts";
import { BROWSERS } from "./attacks/browsers.ts";
import { CANARY } from "./attacks/canary.ts";
import { EGRESS } from "./attacks/egress.ts";
import { FLOODS } from "./attacks/floods.ts";
import { IDS } from "./attacks/ids.ts";
import { KEYS } from "./attacks/keys.ts";
import { PEOPLE } from "./attacks/people.ts";
import { REQUESTS } from "./attacks/requests.ts";
import { TOKENS } from "./attacks/tokens.ts";
import { isLight, type LoadCell, tryLoads } from "./loads/try-loads.ts";
import { type Cell, PERSONAS, ROWS, tryRoute } from "./matrix.ts";
import { startWorld, type World } from "./world.ts";

const AREAS: readonly Area[] = [
  TOKENS,
  KEYS,
  BROWSERS,
  PEOPLE,
  IDS,
  BODIES,
  REQUESTS,
  EGRESS,
  CANARY,
  FLOODS,
];

const MATRIX = "matrix";
const LOADS = "loads";

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { area: { type: "string" } } });
  const areas = AREAS.filter(({ title }) => values.area === undefined || title === values.area);
  const withMatrix = values.area === undefined || values.area === MATRIX;
  const withLoads = values.area === undefined || values.area === LOADS;
  if (areas.length === 0 && !withMatrix && !withLoads)
    throw new Error(`--area is one of ${[MATRIX, LOADS, ...AREAS.map(({ title }) => title)].join(", ")}`);
  const world = await startWorld(stopSignal());
  const tried: Tried[] = [];
  const cells: Cell[] = [];
  const loads: LoadCell[] = [];
  try {
    if (withMatrix) cells.push(...(await tryRoutes(world)));
    if (withLoads) loads.push(...(await tryLoads(world, say)));
    for (const area of areas) {
      const results = await tryAll(area, world);
      for (const one of results) say(lineOf(one));
      tried.push(...results);
    }
  } finally {
    await world.stop();
  }
  const failed =
    tried.filter((one) => !isHeld(one)).length +
    cells.filter((cell) => !isAsExpected(cell)).length +
    loads.filter((cell) => !isLight(cell)).length;
  conclude({ passed: tried.length + cells.length + loads.length - failed, failed });
}

/** Prints a line for each route: what each persona got, and what was expected where that is something else. */
async function tryRoutes(world: World): Promise<Cell[]> {
  say(`${"".padEnd(42)} ${PERSONAS.join(" | ")}`);
  const all: Cell[] = [];
  for (const row of ROWS) {
    const cells = await tryRoute(row, world);
    const line = cells.map((cell) =>
      isAsExpected(cell) ? cell.got : `${cell.got}, not ${cell.expected} (${cell.persona})`,
    );
    say(`${cells.every(isAsExpected) ? "held  " : "FAILED"} ${row.route.padEnd(42)} ${line.join(" | ")}`);
    all.push(...cells);
  }
  return all;
}

const isAsExpected = ({ expected, got }: Cell): boolean => expected === got;

function lineOf(tried: Tried): string {
  const { area, name, expected, got } = tried;
  const mark = isHeld(tried) ? "held  " : "FAILED";
  return `${mark} ${area.padEnd(9)} ${name.padEnd(72)} ${expected}${isHeld(tried) ? "" : `   got: ${got}`}`;
}

await main().catch(fail);
