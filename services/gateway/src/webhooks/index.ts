export { declaredReceivers, isWanted, taskReceivers } from "./receivers.ts";
export { type DeliveryOutcome, Webhooks } from "./webhooks.ts";
