/** Every way in which an answer can break the contract. A fault of the agent, not of the network. */
export type DefectReason =
  // the HTTP answer
  | "redirect"
  | "unexpected_status"
  | "bad_http"
  | "content_encoding"
  | "not_event_stream"
  | "not_json"
  // its bytes
  | "invalid_utf8"
  | "event_too_large"
  | "event_name_too_long"
  | "response_too_large"
  | "bad_json"
  | "too_deep"
  | "not_an_object"
  // the order of its events
  | "no_terminal"
  | "after_terminal"
  | "two_terminals"
  | "stream_not_closed"
  | "stalled"
  // the words of its answer
  | "wrong_request_id"
  | "wrong_task_type"
  | "missing_status"
  | "unclear_status"
  | "contradictory_status"
  | "no_outputs"
  | "not_contract";

/** Thrown by the readers below the exchange, which turns it into an `upstream_invalid`. */
export class Defect extends Error {
  override readonly name = "Defect";
  readonly reason: DefectReason;
  /** Where, in names of the contract's schema. */
  readonly place: string | undefined;

  constructor(reason: DefectReason, place?: string) {
    super(reason);
    this.reason = reason;
    this.place = place;
  }
}
