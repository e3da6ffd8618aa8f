/**
 * Names of the GenAI conventions, all of them in development there: open-telemetry/semantic-conventions-genai v0.1.0. Nothing else in the
 * gateway writes one out.
 */
export const GEN_AI = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  requestModel: "gen_ai.request.model",
  maxTokens: "gen_ai.request.max_tokens",
  temperature: "gen_ai.request.temperature",
  finishReasons: "gen_ai.response.finish_reasons",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  conversation: "gen_ai.conversation.id",
  workflow: "gen_ai.workflow.name",
  agent: "gen_ai.agent.name",
  tool: "gen_ai.tool.name",
  toolCall: "gen_ai.tool.call.id",
  inputMessages: "gen_ai.input.messages",
  outputMessages: "gen_ai.output.messages",
  tokenType: "gen_ai.token.type",
  tokenModality: "gen_ai.token.modality",
} as const;

export const GEN_AI_METRICS = {
  inputTokens: "gen_ai.client.inference.usage.input_tokens",
  outputTokens: "gen_ai.client.inference.usage.output_tokens",
  cachedTokens: "gen_ai.client.inference.usage.cache_read.input_tokens",
  reasoningTokens: "gen_ai.client.inference.usage.reasoning.output_tokens",
  /** What the counters replace. */
  tokenUsage: "gen_ai.client.token.usage",
} as const;

/** What providers are called there; others keep the name that the manifest has for their kind. */
export const GEN_AI_PROVIDERS: Readonly<Record<string, string>> = {
  google: "gcp.gemini",
  vertex: "gcp.vertex_ai",
  bedrock: "aws.bedrock",
  azure: "azure.ai.openai",
};

/** Of general conventions, which are stable. */
export const HTTP = {
  method: "http.request.method",
  route: "http.route",
  status: "http.response.status_code",
} as const;

export const ERROR_TYPE = "error.type";

/** The gateway's own: ids, names of the manifest and codes. */
export const INTERLOCK = {
  request: "interlock.request.id",
  run: "interlock.run.id",
  step: "interlock.step.id",
  kind: "interlock.step.kind",
  task: "interlock.task",
  outcome: "interlock.outcome",
  intent: "interlock.intent",
  approval: "interlock.approval.id",
  decision: "interlock.approval.decision",
  book: "interlock.book",
  attempt: "interlock.attempt",
  notice: "interlock.notice",
} as const;
