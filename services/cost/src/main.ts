import { SettingError, serve } from "@interlock/agent-kit";
import { FinopsError } from "@interlock/finops";
import { dataSets } from "@interlock/finops/data";
import { costAgent } from "./agent.ts";

const sets = dataSets(process.env.FOCUS_DATA);
const loading = sets.preload().then(
  () => undefined,
  (error: unknown) => error,
);
// Bills that cannot be used are told before anybody asks. The sample can be: it is loaded while the mesh starts.
const failure = process.env.FOCUS_DATA ? await loading : undefined;

function agent() {
  if (failure instanceof FinopsError) throw new SettingError(`FOCUS_DATA: ${failure.message}`);
  if (failure !== undefined) throw failure;
  return costAgent({ dataSets: sets });
}

await serve(agent, process.env, { port: 8088 });
