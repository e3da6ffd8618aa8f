/** Starts a mesh, tells its parent what it started, and waits to be killed. */
import { dirname } from "node:path";
import { startMesh } from "../mesh.ts";
import { STAND_INS } from "./stand-ins.ts";

const { processes } = await startMesh({ services: STAND_INS });
process.send?.({ pids: processes.map(({ pid }) => pid), scratch: dirname(processes[0]?.logFile ?? "") });
process.on("disconnect", () => process.exit(0));
