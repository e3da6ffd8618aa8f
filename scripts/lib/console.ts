export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints why the command failed and sets exit code 1. */
export function fail(error: unknown): void {
  process.stderr.write(`${Error.isError(error) ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
