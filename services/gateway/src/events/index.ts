export {
  decodeEnd,
  decodeEvent,
  encodeEvent,
  eventAround,
  packEvents,
  relayEvent,
  splitEvent,
  unpackEvents,
} from "./codec.ts";
export { isoNow } from "./iso-now.ts";
export {
  END_TYPES,
  isRest,
  type RunEnd,
  type RunEvent,
  type RunEventBody,
  type StoredEvent,
  toolName,
} from "./run-event.ts";
export { slices } from "./slices.ts";
