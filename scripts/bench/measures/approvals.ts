import { runDecisions } from "../load/decisions.ts";
import type { Measure } from "./measure.ts";

const RUNS = 1_000;

export const approvals: Measure = {
  name: "approvals",
  title: "1,000 runs wait for an approval, then all get it",
  async run(bench) {
    const rig = await bench.rig();
    const target = { url: rig.gateways[0] ?? "", worker: rig.worker };
    await runDecisions({ ...target, runs: 200, concurrency: 32 });
    const before = rig.sut().cpuS;
    const { pauses, resumes } = await runDecisions({ ...target, runs: RUNS, concurrency: 32 });
    const cpuS = rig.sut().cpuS - before;
    const single = await runDecisions({ ...target, runs: 100, concurrency: 1 });
    return {
      pausesPerS: pauses.perS,
      pauseP50Ms: pauses.ms.p50,
      pauseP95Ms: pauses.ms.p95,
      resumesPerS: resumes.perS,
      resumeP50Ms: resumes.ms.p50,
      resumeP95Ms: resumes.ms.p95,
      singlePauseP50Ms: single.pauses.ms.p50,
      singleResumeP50Ms: single.resumes.ms.p50,
      singleResumeP95Ms: single.resumes.ms.p95,
      cpuUs: (cpuS * 1e6) / RUNS,
    };
  },
};
