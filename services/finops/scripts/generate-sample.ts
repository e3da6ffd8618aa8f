import { samplePlace } from "../src/data/index.ts";
import { writeSample } from "./write-sample.ts";

/** Makes the shipped sample anew: `npm run -s agent -- services/finops/scripts/generate-sample.ts`. */
await writeSample(samplePlace);
