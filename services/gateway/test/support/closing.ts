import { afterAll, afterEach } from "@jest/globals";

type Stoppable = { stop(): unknown };

/** Stops what a test started, the latest first, whether the test passed or not. */
export function closing(): <T extends Stoppable>(started: T) => T {
  return registering(afterEach);
}

/** The same for what all tests of a file share. */
export function closingAtEnd(): <T extends Stoppable>(started: T) => T {
  return registering(afterAll);
}

function registering(hook: typeof afterEach): <T extends Stoppable>(started: T) => T {
  const started: Stoppable[] = [];
  hook(async () => {
    for (const one of started.splice(0).reverse()) await one.stop();
  });
  return (one) => {
    started.push(one);
    return one;
  };
}
