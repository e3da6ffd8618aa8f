import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";

const script = fileURLToPath(new URL("measure-fit.ts", import.meta.url));

test("a fit takes time in proportion to its rows, and little memory beside them", async () => {
  const run = await promisify(execFile)(process.execPath, ["--expose-gc", script, "50000"]);
  const [half, whole] = JSON.parse(run.stdout);
  expect(whole.seconds / half.seconds).toBeLessThan(3);
  // Text keys of the rows took 1,200.
  expect(whole.bytesPerRow).toBeLessThan(1_000);
}, 120_000);
