/** `npm run -s security`: attacks a real mesh, and prints what each attack expected and got. */
import { parseArgs } from "node:util";
import { fail, say } from "../lib/console.ts";
import { conclude } from "../lib/run-checks.ts";
import { stopSignal } from "../lib/stop-signal.ts";
import { type Area, isHeld, type Tried, tryAll } from "./attack.ts";
import { BODIES } from "./attacks/bodies.ts";
import { IDS } from "./attacks/ids.ts";
import { KEYS } from "./attacks/keys.ts";
import { PEOPLE } from "./attacks/people.ts";
import { REQUESTS } from "./attacks/requests.ts";
import { TOKENS } from "./attacks/tokens.ts";
import { startWorld } from "./world.ts";

const AREAS: readonly Area[] = [TOKENS, KEYS, PEOPLE, IDS, BODIES, REQUESTS];

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { area: { type: "string" } } });
  const areas = AREAS.filter(({ title }) => values.area === undefined || title === values.area);
  if (areas.length === 0) throw new Error(`--area is one of ${AREAS.map(({ title }) => title).join(", ")}`);
  const world = await startWorld(stopSignal());
  const tried: Tried[] = [];
  try {
    for (const area of areas) {
      const results = await tryAll(area, world);
      for (const one of results) say(lineOf(one));
      tried.push(...results);
    }
  } finally {
    await world.stop();
  }
  const failed = tried.filter((one) => !isHeld(one)).length;
  conclude({ passed: tried.length - failed, failed });
}

function lineOf(tried: Tried): string {
  const { area, name, expected, got } = tried;
  const mark = isHeld(tried) ? "held  " : "FAILED";
  return `${mark} ${area.padEnd(9)} ${name.padEnd(72)} ${expected}${isHeld(tried) ? "" : `   got: ${got}`}`;
}

await main().catch(fail);
