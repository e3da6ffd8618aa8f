/** Node strips types itself: jest gets the files as they are. */
export default {
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  transform: {},
  testMatch: ["**/*.test.ts"],
  modulePathIgnorePatterns: ["<rootDir>/.data/"],
  testTimeout: 30_000,
};
