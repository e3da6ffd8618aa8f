/** Prices a catalogue again and again in a process of its own, and prints what that came to: `{perS, cpuPerS, boundShare}`. */
import { proposeItem } from "@interlock/pricing";
import { settings, syntheticCatalogue } from "./catalogue.ts";

const [items = 10_000, seconds = 2] = process.argv.slice(2).map(Number);
const catalogue = syntheticCatalogue(items);
const tiersOf = (proposals: readonly { readonly tiers: object }[]) =>
  proposals.reduce((sum, { tiers }) => sum + Object.keys(tiers).length, 0);
const priceAll = () => catalogue.map((item) => proposeItem(item, settings));

const first = priceAll();
const bound = first.flatMap(({ tiers }) => Object.values(tiers)).filter(({ binding }) => binding.length > 0);
const cpuBefore = process.cpuUsage();
const since = performance.now();
let prices = 0;
do prices += tiersOf(priceAll());
while (performance.now() - since < seconds * 1000);
const tookS = (performance.now() - since) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);

process.stdout.write(
  JSON.stringify({
    perS: prices / tookS,
    cpuPerS: prices / ((user + system) / 1e6),
    boundShare: bound.length / tiersOf(first),
  }),
);
