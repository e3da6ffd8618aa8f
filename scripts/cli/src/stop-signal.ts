/**
 * Aborted when this command is to end: on SIGINT, SIGTERM or SIGHUP, or, under setup.mjs, when the parent process has
 * gone. The reason says which.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => controller.abort(name));
  }
  if (process.env.INTERLOCK_SETUP) {
    const parent = process.ppid;
    const watch = () => process.ppid === parent || controller.abort("parent gone");
    setInterval(watch, 500).unref();
  }
  return controller.signal;
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
