export { factsOf } from "./facts.ts";
export { leadOf } from "./lead.ts";
export { otherNamesOf } from "./other-names.ts";
