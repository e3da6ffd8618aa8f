export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The last words of a command: what went wrong, for a person, and exit code 1. */
export function fail(error: unknown): void {
  process.stderr.write(`${Error.isError(error) ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
