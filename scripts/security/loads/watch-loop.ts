/** Imported by the agents of the suite: reports stalls of their event loops as the gateway does. */
import { LoopWatch } from "../../../services/gateway/src/loop-watch.ts";

const REPORT_MS = 50;

new LoopWatch({
  shedMs: Number.POSITIVE_INFINITY,
  reportMs: REPORT_MS,
  onStall({ ms, ownMs }) {
    const time = new Date().toISOString();
    console.error(JSON.stringify({ time, stall_ms: ms, own_ms: ownMs, msg: "the event loop was held" }));
  },
}).start();
