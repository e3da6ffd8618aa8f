/** Loaded by a gateway before its own code (`--import`): names resolve to what the file `TEST_NAMES` says at that moment. */
import dns from "node:dns";
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const before = dns.lookup;

dns.lookup = (name, options, callback) => {
  const addresses = JSON.parse(readFileSync(process.env.TEST_NAMES, "utf8"))[name];
  if (addresses === undefined) return before(name, options, callback);
  setImmediate(() =>
    callback(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    ),
  );
};
syncBuiltinESMExports();
