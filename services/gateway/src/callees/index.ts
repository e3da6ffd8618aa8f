export type { Callee, CalleeAbout, CalleeResult, CalleeScope } from "./callee.ts";
export { toolCallee } from "./tool.ts";
export type { Artifact } from "./tool-artifacts.ts";
