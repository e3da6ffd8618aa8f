export type { Callee, CalleeAbout, CalleeResult, CalleeScope } from "./callee.ts";
export { toolCallee } from "./tool.ts";
