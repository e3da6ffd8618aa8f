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
export { UsageLedger } from "./usage-ledger.ts";
export { usageReport } from "./usage-report.ts";
