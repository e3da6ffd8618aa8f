export { isWanted, Webhooks } from "./webhooks.ts";
