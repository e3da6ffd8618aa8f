// Imported before all others, so that an older Node ends with this line rather than with what it lacks.
const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 24) {
  console.error(`Node 24 is needed; this is ${process.versions.node}.`);
  process.exit(1);
}
