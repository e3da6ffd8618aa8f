export { type DeliveryOutcome, isWanted, Webhooks } from "./webhooks.ts";
