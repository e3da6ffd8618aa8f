export type { Mention, Unit } from "../mentions/mention.ts";
export { type Units, unitsOf } from "../mentions/units.ts";
export { assemble } from "./assemble.ts";
export type { Candidate, Op } from "./candidates.ts";
export { type Decision, decode, placeOf, type Scored, scoreUnit } from "./decode.ts";
export { type Decided, Features } from "./features.ts";
export { formatModel, loadTagger, type Model, parseModel } from "./model.ts";
export { rolesIn, type TaggedReading, type TaggedSpan, tagSlots } from "./tag.ts";
export { type View, viewOf } from "./view.ts";
