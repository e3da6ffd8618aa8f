import { type DestinationStream, pino } from "pino";

/** Everything that a log may say about a request. */
export type RequestFacts = {
  readonly request_id?: string;
  readonly trace_id?: string;
  readonly task_type?: string;
  readonly duration_ms?: number;
  readonly status?: string;
  readonly code?: string;
};

type Facts = Readonly<Record<string, number | boolean>>;

/** The log of a task. Takes only numbers and flags beside the message, so that no input text can leak. */
export type TaskLog = {
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
};

export type Log = {
  /** Writes one line per request. */
  request(facts: RequestFacts): void;
  /** An unexpected error. Logs where it was thrown, never its message. */
  defect(error: unknown, facts: RequestFacts): void;
  service(message: string, facts?: Readonly<Record<string, number | string>>): void;
  /** Warns about a setting that is probably a mistake. */
  warning(message: string, facts: Readonly<Record<string, string>>): void;
  forTask(facts: RequestFacts): TaskLog;
};

const FRAME = /\(?((?:file:\/\/)?[^\s()]+:\d+:\d+)\)?$/;

/** The innermost frames of the stack. Drops the message, which may quote inputs. */
function placesOf(error: unknown): string[] {
  if (!Error.isError(error) || typeof error.stack !== "string") return [];
  const start = error.stack.indexOf(error.message);
  if (start < 0) return [];
  return error.stack
    .slice(start + error.message.length)
    .split("\n")
    .map((line) => FRAME.exec(line)?.[1])
    .filter((place) => place !== undefined)
    .slice(0, 4);
}

export function createLog(
  options: {
    readonly level?: string;
    readonly agent?: string;
    readonly destination?: DestinationStream;
  } = {},
): Log {
  const logger = pino(
    {
      level: options.level ?? "info",
      base: options.agent === undefined ? {} : { agent: options.agent },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    options.destination ?? pino.destination(1),
  );
  return {
    request: (facts) => logger.info(facts, "request"),
    defect: (error, facts) => logger.error({ ...facts, at: placesOf(error) }, "defect"),
    service: (message, facts) => logger.info(facts ?? {}, message),
    warning: (message, facts) => logger.warn(facts, message),
    forTask: (facts) => ({
      info: (message, more) => logger.info({ ...more, ...facts }, message),
      warn: (message, more) => logger.warn({ ...more, ...facts }, message),
    }),
  };
}

export const silentLog: Log = createLog({ level: "silent" });
