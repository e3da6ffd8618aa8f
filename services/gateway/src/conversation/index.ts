export { keywordRouter, type Router } from "./router.ts";
export { Sessions } from "./sessions.ts";
export { takeTurn } from "./turn.ts";
export type { TurnDeps, TurnRequest } from "./turn-step.ts";
