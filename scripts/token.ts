/** `npm run -s token -- --user bo --role pricing_approver`: prints a token for the mesh that `npm start` runs, or will run. */
import { fail, say } from "./cli/src/console.ts";
import { token } from "./cli/src/token.ts";
import { dataDir } from "./lib/paths.ts";

await token(process.argv.slice(2), dataDir).then(say).catch(fail);
