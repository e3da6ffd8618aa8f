import { syncStore } from "../sut/store-settings.ts";
import type { Measure } from "./measure.ts";

/**
 * The same measure over a Redis that syncs once a second. That is not how the mesh is run, but how most products that keep something in
 * a Redis are measured: figures of theirs compare with this one.
 */
export function everysec(measure: Measure): Measure {
  return {
    ...measure,
    name: `${measure.name}-everysec`,
    title: `${measure.title}; Redis syncs once a second`,
    async run(bench) {
      const { mesh } = await bench.rig();
      await syncStore(mesh, "everysec");
      try {
        return await measure.run(bench);
      } finally {
        await syncStore(mesh, "always");
      }
    },
  };
}
