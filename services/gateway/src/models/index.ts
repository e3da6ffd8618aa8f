export { chooseModel } from "./choose.ts";
export { ModelError } from "./model-error.ts";
export { ModelGateway, type ModelGatewayDeps } from "./model-gateway.ts";
export { modelLine } from "./model-line.ts";
export { type Prompt, type PromptRef, Prompts } from "./prompts/index.ts";
export type {
  Attempt,
  CallReport,
  GenerateCall,
  ModelAnswer,
  ModelCall,
  ModelMessage,
  ModelObserver,
  ModelPart,
  ModelTool,
  ModelToolCall,
} from "./types.ts";
export { UsageMeter } from "./usage-meter.ts";
export { type UsageQuery, UsageReports } from "./usage-reports.ts";
