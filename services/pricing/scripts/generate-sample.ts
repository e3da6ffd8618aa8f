import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sampleDirectory } from "../src/datasets.ts";
import { DATASET, generateSample } from "./sample.ts";

/** Regenerates the shipped sample: `npm run -s agent -- services/pricing/scripts/generate-sample.ts`. */
const { scanner, catalogue } = generateSample();
writeFileSync(join(sampleDirectory, `${DATASET}.csv`), scanner);
writeFileSync(join(sampleDirectory, "sample-catalogue.json"), catalogue);
