import { readConfig } from "./config.ts";
import { offlineConversation } from "./conversation/index.ts";
import { ExpressionPool, loadMesh } from "./mesh/index.ts";

type Conversation = ReturnType<typeof offlineConversation>;
type Inputs = Readonly<Record<string, unknown>>;

/**
 * The gateway's understanding alone: no network, no store, no agent. Evaluations use it.
 * @returns what begins a conversation over the given inputs; without inputs it is about the flow's own
 * @throws MeshError, ConfigError
 */
export function offlineUnderstanding(
  flow: string,
  env: Readonly<Record<string, string | undefined>>,
): (inputs?: Inputs) => Conversation {
  const config = readConfig(env);
  // Understanding evaluates no expression, so that the pool starts no process.
  const mesh = loadMesh(config.meshFile, env, new ExpressionPool(config));
  return (inputs) => offlineConversation({ mesh, flow, inputs, intentThreshold: config.intentThreshold });
}
