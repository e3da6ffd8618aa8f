export { keywordRouter, type Router } from "./router.ts";
export { takeTurn } from "./turn.ts";
export type { TurnDeps, TurnRequest } from "./turn-step.ts";
