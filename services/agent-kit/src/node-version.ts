// Imported before all others, so that an older Node ends with this line rather than with what it lacks.
const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 24)
  throw new Error(`@interlock/agent-kit needs Node 24 or newer; this is ${process.versions.node}.`);
