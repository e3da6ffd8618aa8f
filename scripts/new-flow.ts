/** `npm run -s new:flow -- NAME`: adds a flow of two steps with an approval to the manifest, or to a domain: see cli/src/new-flow.ts. */
import { fail, say } from "./cli/src/console.ts";
import { newFlow } from "./cli/src/new-flow.ts";
import { root } from "./lib/paths.ts";

try {
  const words = { self: "npm run -s new:flow --", start: "npm start", token: "npm run -s token --" };
  say(newFlow(process.argv.slice(2), root, words).trimEnd());
} catch (error) {
  fail(error);
}
