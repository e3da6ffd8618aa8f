/** What tests import from `@jest/globals` when Node's own modules run them. Each file of tests has functions of its own. */
const CURRENT = Symbol.for("interlock.test-globals");

function now(name) {
  return new Proxy(() => undefined, {
    apply: (_, self, args) => Reflect.apply(globalThis[CURRENT][name], self, args),
    get: (_, key) => Reflect.get(globalThis[CURRENT][name], key),
  });
}

export const describe = now("describe");
export const test = now("test");
export const it = now("it");
export const expect = now("expect");
export const beforeAll = now("beforeAll");
export const afterAll = now("afterAll");
export const beforeEach = now("beforeEach");
export const afterEach = now("afterEach");
