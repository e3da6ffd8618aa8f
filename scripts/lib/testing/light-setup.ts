import { registerHooks } from "node:module";

const globals = new URL("./globals.mjs", import.meta.url).href;

// The package itself throws outside jest's own runtime.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "@jest/globals" ? { url: globals, shortCircuit: true } : next(specifier, context),
});
