/** How an answer can break the contract. These are faults of the agent, not of the network. */
export type DefectReason =
  // HTTP
  | "redirect"
  | "unexpected_status"
  | "bad_http"
  | "content_encoding"
  | "not_event_stream"
  | "not_json"
  // bytes and JSON
  | "invalid_utf8"
  | "event_too_large"
  | "event_name_too_long"
  | "response_too_large"
  | "bad_json"
  | "too_deep"
  | "not_an_object"
  // order of events
  | "no_terminal"
  | "after_terminal"
  | "two_terminals"
  | "stream_not_closed"
  | "stalled"
  // fields of the answer
  | "wrong_request_id"
  | "wrong_task_type"
  | "missing_status"
  | "unclear_status"
  | "contradictory_status"
  | "no_outputs"
  | "not_contract"
  // outputs
  | "wrong_outputs"
  | "state_too_large"
  // a run of another gateway
  | "no_run_id"
  | "not_dense"
  | "log_gone";

/** Thrown by everything that reads an answer; the exchange turns it into `upstream_invalid`. */
export class Defect extends Error {
  override readonly name = "Defect";
  readonly reason: DefectReason;
  /** JSON pointer to the place, made of names in the contract's schema. */
  readonly place: string | undefined;

  constructor(reason: DefectReason, place?: string) {
    super(reason);
    this.reason = reason;
    this.place = place;
  }
}
