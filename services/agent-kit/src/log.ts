import { type DestinationStream, pino } from "pino";

/** What may be said of a request in a log, and nothing else of it. */
export type RequestFacts = {
  readonly request_id?: string;
  readonly task_type?: string;
  readonly duration_ms?: number;
  readonly status?: string;
  readonly code?: string;
};

type Facts = Readonly<Record<string, number | boolean>>;

/** For a task: numbers and flags only, so that no text of the inputs can slip in beside the message. */
export type TaskLog = {
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
};

export type Log = {
  /** One line for each request. */
  request(facts: RequestFacts): void;
  /** A defect of the code: where it was thrown, never what it said. */
  defect(error: unknown, facts: RequestFacts): void;
  service(message: string, facts?: Readonly<Record<string, number | string>>): void;
  forTask(facts: RequestFacts): TaskLog;
};

const FRAME = /\(?((?:file:\/\/)?[^\s()]+:\d+:\d+)\)?$/;

/** The innermost places of a stack. The message above them may quote inputs, so it is cut off first. */
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
    forTask: (facts) => ({
      info: (message, more) => logger.info({ ...more, ...facts }, message),
      warn: (message, more) => logger.warn({ ...more, ...facts }, message),
    }),
  };
}

export const silentLog: Log = createLog({ level: "silent" });
