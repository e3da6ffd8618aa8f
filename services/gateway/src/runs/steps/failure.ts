import { UpstreamError } from "../../agents/index.ts";
import { GatewayError } from "../../errors.ts";
import { ConditionError, type Step } from "../../mesh/index.ts";

/** An effect may or may not have happened and cannot be asked for again: a person has to find out. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
}

/** Why a step failed, as the run's events and the log say it. */
export class StepFailure extends Error {
  readonly step: Step;
  readonly failure: GatewayError;
  readonly agentCode: string | undefined;
  readonly reason: string | undefined;

  constructor(step: Step, failure: GatewayError, upstream?: UpstreamError) {
    super(failure.message, { cause: failure });
    this.name = "StepFailure";
    this.step = step;
    this.failure = failure;
    this.agentCode = upstream?.agentCode;
    this.reason = upstream?.reason;
  }
}

/** @param signal the step's: the reason of an abort says more than the error that the abort caused */
export function toStepFailure(step: Step, error: unknown, signal: AbortSignal): StepFailure {
  if (signal.aborted) {
    const reason: unknown = signal.reason;
    return new StepFailure(step, reason instanceof GatewayError ? reason : new GatewayError("cancelled"));
  }
  if (error instanceof UpstreamError) return new StepFailure(step, fromUpstream(error), error);
  return new StepFailure(step, toGatewayError(error));
}

export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const code = error instanceof ConditionError ? "flow_failed" : "internal";
  return new GatewayError(code, undefined, { cause: error });
}

/** Only an error in the contract's form has a message that goes on to the caller. */
function fromUpstream(error: UpstreamError): GatewayError {
  const honest = error.code === "upstream_failed" || error.code === "upstream_refused";
  return new GatewayError(
    error.callerStatus === undefined ? error.code : "invalid_inputs",
    honest ? error.message : undefined,
    { cause: error, retryable: error.retryable },
  );
}
