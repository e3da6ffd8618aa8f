import { createRequire, flushCompileCache, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

/** Jest's functions for the file that runs now, by their names. */
type Globals = Readonly<Record<string, unknown>>;

/** Where `globals.mjs` finds them. */
const CURRENT = Symbol.for("interlock.test-globals");
/** Jest keeps its handlers of a test's events there, over all of its own instances. */
const EVENT_HANDLERS = Symbol.for("EVENT_HANDLERS");

type Adapter = (
  ...args: readonly [...leading: unknown[], runtime: object, path: string, send: unknown]
) => unknown;

const require = createRequire(import.meta.url);
const stand = new URL("./globals.mjs", import.meta.url).href;

// The package itself throws outside of jest's own module runtime.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "@jest/globals" ? { url: stand, shortCircuit: true } : next(specifier, context),
});

/**
 * Runs a test file as jest does, but with Node's own modules. Jest's module runtime reads, links and compiles all that a file imports
 * again for each file, which is most of the work of a test that imports the gateway; here files that run in one worker share it.
 * So a module must not keep anything that matters to the next file, and cannot be mocked.
 */
export default async function runNatively(...args: readonly unknown[]): Promise<unknown> {
  const [globalConfig, config, environment, , path, send] = args;
  const adapter: { default: Adapter } = require("jest-circus/runner");
  const runtime = {
    /** Of jest's test framework, which is new for each file: it keeps the tests that were declared. */
    requireInternalModule(file: string): unknown {
      Reflect.deleteProperty(globalThis, EVENT_HANDLERS);
      delete require.cache[file];
      return require(file);
    },
    requireModule: require,
    setGlobalsForRuntime(globals: Globals): void {
      Reflect.set(globalThis, CURRENT, globals);
    },
    unstable_shouldLoadAsEsm: () => true,
    async unstable_importModule(file: string): Promise<void> {
      await import(pathToFileURL(file).href);
      // For the other workers, and for the processes that tests start, which may be killed before they write it themselves.
      flushCompileCache();
    },
    enterTestCode: () => undefined,
    leaveTestCode: () => undefined,
  };
  return await adapter.default(globalConfig, config, environment, runtime, String(path), send);
}
