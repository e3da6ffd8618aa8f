#!/usr/bin/env node
/** `interlock start|check|token|demo`: a mesh in the folder where it is called. */
import "./node-version.ts";

// Loaded after the check: an older Node cannot load it.
const { run } = await import("./commands.ts");
await run(process.argv.slice(2));
