export { type Prompt, type PromptRef, Prompts } from "./prompts.ts";
