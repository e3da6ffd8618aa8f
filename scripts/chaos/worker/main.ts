import { serve } from "@interlock/agent-kit";
import { createWorker } from "./agent.ts";
import { EffectLedger } from "./effect-ledger.ts";

const ledger = new EffectLedger(process.env.REDIS_URL ?? "");
await serve(createWorker(ledger), process.env);
