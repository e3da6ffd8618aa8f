import { json, textOf } from "../agent.ts";
import { type BrokenPeer, broken } from "../peer.ts";

function without(body: object, name: string) {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
}

/** Edits the sync answer only; the stream stays correct. */
function syncSays(rule: string, name: string, edit: (body: Record<string, unknown>) => unknown): BrokenPeer {
  return broken(rule, name, (base) => ({ sync: (run) => json(200, edit({ ...base.result(run) })) }));
}

/** Rewrites the text of the sync answer. */
function syncWrites(rule: string, name: string, rewrite: (text: string) => string | Uint8Array): BrokenPeer {
  return broken(rule, name, (base) => ({
    sync: (run) => ({ ...base.sync(run), parts: [rewrite(textOf(base.sync(run)))] }),
  }));
}

export const brokenSync: readonly BrokenPeer[] = [
  broken("AC1-SYNC-001", "answers 201", (base) => ({ sync: (run) => ({ ...base.sync(run), status: 201 }) })),
  broken("AC1-SYNC-001", "has no sync endpoint", () => ({ sync: () => json(404, {}) })),
  broken("AC1-SYNC-001", "is always too busy for a run", () => ({
    sync: () => json(503, {}, { "retry-after": "0" }),
  })),
  broken("AC1-SYNC-001", "answers a run with 500", () => ({ sync: () => json(500, {}) })),
  broken("AC1-SYNC-002", "sync is text/plain", (base) => ({
    sync: (run) => ({ ...base.sync(run), headers: { "content-type": "text/plain" } }),
  })),
  broken("AC1-SYNC-002", "sync has no media type", (base) => ({
    sync: (run) => ({ ...base.sync(run), headers: {} }),
  })),
  broken("AC1-SYNC-002", "sync says that it is compressed", (base) => ({
    sync: (run) => ({
      ...base.sync(run),
      headers: { ...base.sync(run).headers, "content-encoding": "gzip" },
    }),
  })),
  syncSays("AC1-SYNC-003", "sync is a list", (body) => [body]),
  syncWrites("AC1-SYNC-003", "sync writes more after its object", (text) => `${text}{}`),
  syncWrites("AC1-SYNC-003", "sync begins with a byte order mark", (text) => `\ufeff${text}`),
  syncWrites("AC1-SYNC-003", "sync is JavaScript", (text) => text.replace('"status"', "status")),
  syncWrites("AC1-SYNC-003", "sync has a comma too many", (text) => text.replace(/}$/, ",}")),
  broken("AC1-SYNC-003", "sync is in Latin-1", (base) => ({
    sync: (run) => ({
      ...json(200, {}),
      parts: [Buffer.from(JSON.stringify({ ...base.result(run), note: "é" }), "latin1")],
    }),
  })),
  syncSays("AC1-SYNC-004", "sync forgets request_id", (body) => without(body, "request_id")),
  syncSays("AC1-SYNC-004", "sync has an id of its own", (body) => ({ ...body, request_id: "r-1" })),
  syncWrites("AC1-SYNC-004", "sync repeats request_id with another value", (text) =>
    text.replace(/}$/, ',"request_id":"r-1"}'),
  ),
  syncSays("AC1-SYNC-005", "sync has no outputs", (body) => without(body, "outputs")),
  syncSays("AC1-SYNC-005", "sync's outputs are a list", (body) => ({ ...body, outputs: [] })),
  syncSays("AC1-SYNC-005", "sync's outputs are null", (body) => ({ ...body, outputs: null })),
  syncSays("AC1-SYNC-006", "sync does not say how it went", (body) => without(without(body, "status"), "ok")),
  syncSays("AC1-SYNC-006", "sync has a status of its own alone", (body) => ({
    ...without(body, "ok"),
    status: "completed",
  })),
  syncSays("AC1-SYNC-006", "sync says success true beside a status of its own", (body) => ({
    ...without(body, "ok"),
    status: "completed",
    success: true,
  })),
  syncSays("AC1-SYNC-007", "sync says status ok and ok false", (body) => ({ ...body, ok: false })),
  syncSays("AC1-SYNC-007", "sync says status failed and ok true", (body) => ({ ...body, status: "failed" })),
  broken("AC1-SYNC-008", "sync breaks off", (base) => ({
    sync: (run) => ({ ...base.sync(run), parts: [textOf(base.sync(run)).slice(0, 20)], ending: "cut" }),
  })),
  broken("AC1-SYNC-008", "sync never ends", (base) => ({
    sync: (run) => ({ ...base.sync(run), parts: ["{"], ending: "open" }),
  })),
];
