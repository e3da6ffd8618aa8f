export { type DataSets, dataSets, samplePlace } from "./data-sets.ts";
export type { Limits, Row } from "./database.ts";
export { type AboutData, type FocusData, openFocus } from "./open.ts";
export type { Param } from "./sql.ts";
