import type { ServerResponse } from "node:http";
import type { CompletionRequest } from "@interlock/contracts";
import type { Caller } from "../../caller.ts";
import { GatewayError } from "../../errors.ts";
import { type ApiRequest, type SseStreams, sendJson } from "../../http/index.ts";
import type { Access } from "../../identity/index.ts";
import type { Mesh } from "../../mesh/index.ts";
import { CUT } from "../outcome.ts";
import {
  answerOf,
  type CompletionAnswer,
  type CompletionCall,
  type CompletionPart,
  callOf,
  chunks,
} from "./model-format.ts";

/** Asks the models of the mesh; see models/. */
export type AskModels = {
  asks(call: Pick<CompletionCall, "task" | "hint">): boolean;
  generate(call: CompletionCall): Promise<CompletionAnswer>;
  stream(call: CompletionCall): AsyncGenerator<CompletionPart, void>;
};

export type AskModelsDeps = { access: Access; mesh: Mesh; streams: SseStreams; askModels: AskModels };
export type CompletionRequestBody = CompletionRequest;

/** Names what these requests are for: the manifest's `models.tasks` may have settings for it. */
const TASK = "completion";

const mayUse = (
  caller: Caller,
  name: string,
  { mesh, access }: Pick<AskModelsDeps, "mesh" | "access">,
): boolean => mesh.models.allow.includes(name) && access.may(caller, "use", { kind: "model", name });

/** The models that a caller may ask. */
export function modelsFor(caller: Caller, deps: AskModelsDeps): string[] {
  const { mesh, askModels } = deps;
  return mesh.models.allow.filter(
    (hint) => mayUse(caller, hint, deps) && askModels.asks({ task: TASK, hint }),
  );
}

/** Asks the models of the mesh, with its fallbacks, budgets and accounting. */
export function modelCompletions(deps: AskModelsDeps) {
  const { mesh, streams, askModels } = deps;
  return async ({
    res,
    caller,
    trace,
    body,
    requestId,
  }: ApiRequest<object, CompletionRequest>): Promise<void> => {
    const { model = mesh.models.default } = body;
    // A model that the caller may not use is answered like one that does not exist.
    if (!mayUse(caller, model, deps) || !askModels.asks({ task: TASK, hint: body.model }))
      throw new GatewayError("not_found", "There is no such model.");
    const call: CompletionCall = {
      ...callOf(body),
      task: TASK,
      caller,
      trace,
      mayAsk: (name) => mayUse(caller, name, deps),
      signal: goneWith(res),
    };
    if (body.stream) return await stream(res, requestId, body, call);
    const answer = await askModels.generate(call);
    if (!res.destroyed) sendJson(res, answerOf(answer, requestId));
  };

  /** Nothing is sent before the first token: until then a failure is an ordinary error response. */
  async function stream(res: ServerResponse, id: string, body: CompletionRequest, call: CompletionCall) {
    streams.admit(res, call.caller);
    let model = "";
    const parts = askModels.stream({ ...call, onModel: (name) => (model = name) });
    let next = await parts.next();
    const sse = streams.open(res, 0);
    const frames = chunks({ id, model, usage: body.stream_options?.include_usage ?? false });
    sse.lastWords = () => frames.failed(CUT);
    try {
      // The first frame goes with the first token, the last line with the end: each write is a system call.
      let frame = frames.begin;
      while (!next.done) {
        frame += frames.of(next.value);
        if (next.value.type === "final") break;
        if (sse.isBehind) await sse.drained();
        sse.write(frame);
        frame = "";
        next = await parts.next();
      }
      sse.end(frame + frames.done);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      // Omit the last line, so that no client takes a partial answer for a complete one.
      sse.end(frames.failed(error));
    }
  }
}

/** The client has disconnected: abort the call. */
function goneWith(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) gone.abort();
  });
  return gone.signal;
}
