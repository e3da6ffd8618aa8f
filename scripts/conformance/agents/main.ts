/** Serves one of the agents, to run the check against it: npm run -s agent -- scripts/conformance/agents/main.ts "sync forgets request_id". */
import { brokenPeers, goodPeers } from "./index.ts";

const name = process.argv[2] ?? "the plain agent";
const peer = [...goodPeers, ...brokenPeers].find((candidate) => candidate.name === name);
if (peer === undefined) {
  const names = [...goodPeers, ...brokenPeers].map((candidate) => `  ${candidate.name}\n`);
  process.stderr.write(`there is no agent named so; there are\n${names.join("")}`);
  process.exitCode = 2;
} else {
  const { url } = await peer.serve();
  process.stdout.write(`${url}=ECHO\n`);
}
