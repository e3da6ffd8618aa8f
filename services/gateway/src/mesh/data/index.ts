export { DataCompiler, type Patch, type Roots, type StepsSeen } from "./compile-data.ts";
export { type Condition, ConditionError, tellCondition } from "./condition.ts";
export type { LargeReader } from "./large-reader.ts";
export { membersOf } from "./members.ts";
export { type PatchRule, patched } from "./patch.ts";
export type { Context } from "./resolve.ts";
export type { Template } from "./template.ts";
