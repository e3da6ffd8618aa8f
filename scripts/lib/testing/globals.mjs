/** What tests import from `@jest/globals` when the light runner runs them, which provides jest's functions as globals. */
export const { describe, test, it, expect, beforeAll, afterAll, beforeEach, afterEach } = globalThis;
