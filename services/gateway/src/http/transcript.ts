import type { ExecutionMetadata, SessionTranscript, SessionView } from "@interlock/contracts";
import { decodeEnd } from "../events/index.ts";
import type { RunRecord } from "../runs/index.ts";
import { calledTools } from "./called-tools.ts";

/** A session turn by turn. @param records of its runs, as far as they are kept */
export function transcriptOf(view: SessionView, records: readonly RunRecord[]): SessionTranscript {
  const { session_id, title, created_at, updated_at, turns, summary } = view;
  const byId = new Map(records.map((record) => [record.id, record]));
  const answers = new Map(turns.flatMap((one) => (one.role === "assistant" ? [[one.run_id, one.text]] : [])));
  const user = records[0]?.subject;
  const before = summary?.turns ?? 0;
  const asked = turns.flatMap((one) => (one.role === "user" ? one : []));
  return {
    session_id,
    ...(user === undefined ? {} : { user_id: user }),
    ...{ created_at, updated_at, metadata: { title } },
    turns: asked.map(({ run_id, text, at }, index) => {
      const [answer, record] = [answers.get(run_id), byId.get(run_id)];
      return {
        ...{ turn_id: run_id, turn_number: before + index + 1, user_message: text, timestamp: at },
        ...(answer === undefined ? {} : { assistant_response: answer }),
        ...(record ? { execution_metadata: executionOf(record) } : {}),
      };
    }),
  };
}

function executionOf({ state, order, createdAt, finishedAt, terminal }: RunRecord): ExecutionMetadata {
  const { rounds, mcps_used, tool_lineage } = calledTools(terminal ? decodeEnd(terminal).data : {});
  return {
    ...{ state, intent: order.intent, rounds, mcps_used, tool_calls: tool_lineage },
    ...(finishedAt === undefined ? {} : { execution_time_ms: finishedAt - createdAt }),
  };
}
