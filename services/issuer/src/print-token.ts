/** Prints a token; in a container: `docker compose exec issuer node services/issuer/src/print-token.ts --user bo`. */
import { tokenCommand } from "./token-command.ts";

try {
  console.log(await tokenCommand(process.argv.slice(2), process.env));
} catch (error) {
  console.error(Error.isError(error) ? error.message : error);
  process.exitCode = 2;
}
