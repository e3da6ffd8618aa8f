import { availableParallelism } from "node:os";

export default {
  // Node strips types itself: the files are run as they are, by Node's own modules.
  testRunner: "./scripts/lib/testing/native.ts",
  testEnvironment: "./scripts/lib/testing/environment.ts",
  extensionsToTreatAsEsm: [".ts"],
  transform: {},
  testMatch: ["**/*.test.ts"],
  modulePathIgnorePatterns: ["<rootDir>/.data/"],
  testPathIgnorePatterns: [
    "/node_modules/",
    // Tests of an agent in a repository of its own need no package: Node runs them, in `npm run -s pack:check`.
    "<rootDir>/scripts/new-agent/templates/standalone",
    "<rootDir>/scripts/create-interlock/template",
  ],
  reporters: ["default", "./scripts/lib/testing/total.ts"],
  // Generous: tests share the machine with each other and with the processes that they start.
  testTimeout: 180_000,
  // Tests keep the cores at work, with the processes that they start: one more worker works while another waits, and more would only
  // make everything late. Each worker has a database of Redis to itself, of which there are 16.
  maxWorkers: Math.min(availableParallelism() + 1, 15),
  // With a limit, a single file runs in a worker too, which jest ends whatever the tests leave behind.
  workerIdleMemoryLimit: "1GB",
};
