import { availableParallelism } from "node:os";

/**
 * Folders whose tests start nothing and wait for nothing: no process, socket, timer or database. They run as plain modules in threads,
 * which costs a fraction of jest's own module runtime. There is no time limit for a test there, and no check of what it leaves behind.
 */
const PURE = [
  "contracts/src",
  "services/finops/src/forecast",
  "services/finops/src/savings",
  "services/finops/src/stats",
  "services/gateway/src/language",
  "services/pricing/scripts",
  "services/pricing/src",
  "services/understanding/src",
];

/** Node strips types itself: jest gets the files as they are. */
const shared = {
  extensionsToTreatAsEsm: [".ts"],
  transform: {},
  testMatch: ["**/*.test.ts"],
  modulePathIgnorePatterns: ["<rootDir>/.data/"],
};

const pure = {
  ...shared,
  displayName: "pure",
  // Folders rather than patterns: `--testMatch` replaces patterns, and then each file would run in both projects.
  roots: PURE.map((folder) => `<rootDir>/${folder}`),
  runner: "jest-light-runner",
  setupFiles: ["<rootDir>/scripts/lib/testing/light-setup.ts"],
};

const real = {
  ...shared,
  testEnvironment: "./scripts/lib/testing/environment.ts",
  testPathIgnorePatterns: [
    "/node_modules/",
    // Tests of an agent in a repository of its own need no package: Node runs them, in `npm run -s pack:check`.
    "<rootDir>/scripts/new-agent/templates/standalone",
    ...PURE.map((folder) => `<rootDir>/${folder}/`),
  ],
};

export default {
  projects: [pure, real],
  reporters: ["default", "./scripts/lib/testing/total.ts"],
  // Generous: tests share the machine with each other and with the processes that they start.
  testTimeout: 120_000,
  // Most tests wait for something half of the time. Each worker has a database of Redis to itself, of which there are 16.
  maxWorkers: Math.min(2 * availableParallelism(), 15),
  // With a limit, a single file runs in a worker too, which jest ends whatever the tests leave behind.
  workerIdleMemoryLimit: "1GB",
};
