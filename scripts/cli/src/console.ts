// A reader that has enough, such as `head`, is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints why the command failed and sets exit code 1. */
export function fail(error: unknown): void {
  process.stderr.write(`${Error.isError(error) ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
