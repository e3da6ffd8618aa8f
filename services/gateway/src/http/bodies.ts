import { createHash, type Hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type JsonLimits, JsonScan, readJson } from "@interlock/contracts";
import { GatewayError } from "../errors.ts";
import { excessError, FIXED_LIMITS } from "./body-limits.ts";
import { type AsText, PIECE_BYTES, parseInPieces } from "./json-pieces.ts";

export type BodyLimits = {
  /** Bytes of one body. */
  maxBodyBytes: number;
  /** Elements and members in one body. */
  maxBodyValues: number;
  /** Bytes of all bodies that are being received or parsed. */
  maxBodiesBytes: number;
};

export type Body = {
  value: unknown;
  /** Hash of the request as it was sent: method, target and the body's bytes. Only with an Idempotency-Key. */
  digest: string | undefined;
};

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const TICK_MS = 1_000;

/** A body may be slow for so many ticks; after that it needs MIN_BYTES_PER_TICK on average. */
const PATIENCE_TICKS = 5;
const MIN_BYTES_PER_TICK = 1024;

/** A body that is being received. */
type Incoming = { bytes: number; ticks: number; fail: (error: GatewayError) => void };

/**
 * Reads the JSON bodies of a replica's requests. The API takes one media type and one encoding, so this replaces a general body parser.
 */
export class Bodies {
  readonly #limits: BodyLimits;
  readonly #incoming = new Set<Incoming>();
  #timer: NodeJS.Timeout | undefined;
  #heldBytes = 0;
  /** Settles when no large body is being parsed. */
  #parsed: Promise<void> = Promise.resolve();

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /**
   * @param asText what may stay text
   * @throws GatewayError unsupported_media_type, payload_too_large, overloaded, request_timeout, invalid_json, invalid_request (over
   * one of the limits of body-limits.ts)
   */
  async read(req: IncomingMessage, res: ServerResponse, asText?: AsText): Promise<Body> {
    const incoming: Incoming = { bytes: 0, ticks: 0, fail: () => undefined };
    try {
      const keyed = req.headers["idempotency-key"] !== undefined;
      const hash = keyed ? createHash("sha256").update(`${req.method} ${req.url}\n`) : undefined;
      const bytes = await this.#receive(req, incoming, hash);
      return { value: await this.#parse(bytes, res, asText), digest: hash?.digest("base64url") };
    } catch (error) {
      // The rest of the body is not read, so the connection cannot be used again.
      if (!req.complete) res.setHeader("connection", "close");
      throw error;
    } finally {
      this.#heldBytes -= incoming.bytes;
    }
  }

  /** Rejects what the headers rule out. It does not throw, so that a body that came with the headers is complete when the error is sent. */
  #receive(req: IncomingMessage, incoming: Incoming, hash: Hash | undefined): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const refusal = this.#refusalOf(req);
      if (refusal) {
        reject(refusal);
        return;
      }
      const { maxBodyBytes, maxBodiesBytes } = this.#limits;
      const chunks: Buffer[] = [];
      incoming.fail = (error) => {
        this.#incoming.delete(incoming);
        req.removeAllListeners("data").pause();
        reject(error);
      };
      this.#watch(incoming);
      req.on("data", (chunk: Buffer) => {
        incoming.bytes += chunk.length;
        this.#heldBytes += chunk.length;
        if (incoming.bytes > maxBodyBytes) incoming.fail(new GatewayError("payload_too_large"));
        else if (this.#heldBytes > maxBodiesBytes) incoming.fail(new GatewayError("overloaded"));
        else {
          chunks.push(chunk);
          // Hash chunk by chunk: a large body at once would hold the event loop.
          hash?.update(chunk);
        }
      });
      req.on("end", () => {
        this.#incoming.delete(incoming);
        const [only] = chunks;
        resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks, incoming.bytes));
        // The request object lives as long as its answer, which may be a stream, and would keep the body's bytes.
        chunks.length = 0;
      });
      req.on("error", () => incoming.fail(new GatewayError("invalid_request")));
    });
  }

  #refusalOf({ headers }: IncomingMessage): GatewayError | undefined {
    const { "content-type": type = "", "content-encoding": encoding = "identity" } = headers;
    if (!JSON_TYPE.test(type) || encoding !== "identity") return new GatewayError("unsupported_media_type");
    const announced = Number(headers["content-length"] ?? 0);
    if (announced > this.#limits.maxBodyBytes) return new GatewayError("payload_too_large");
    // Count only bytes that have arrived: announcing a large body without sending it takes nothing from others.
    if (this.#heldBytes + announced > this.#limits.maxBodiesBytes) return new GatewayError("overloaded");
    return undefined;
  }

  async #parse(bytes: Buffer, res: ServerResponse, asText: AsText | undefined): Promise<unknown> {
    const limits = { ...FIXED_LIMITS, maxValues: this.#limits.maxBodyValues };
    if (bytes.length <= PIECE_BYTES) return parseAtOnce(bytes, limits);
    const before = this.#parsed;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#parsed = promise;
    await before;
    try {
      // The client may have disconnected while other bodies were parsed.
      if (res.destroyed) throw new GatewayError("cancelled");
      return await parseInPieces(bytes, limits, { asText });
    } finally {
      resolve();
    }
  }

  #watch(incoming: Incoming): void {
    this.#incoming.add(incoming);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** Time is counted in ticks: while the event loop is held, no sender is late. */
  #tick(): void {
    for (const incoming of this.#incoming) {
      incoming.ticks += 1;
      const { ticks, bytes, fail } = incoming;
      if (ticks > PATIENCE_TICKS && bytes < ticks * MIN_BYTES_PER_TICK)
        fail(new GatewayError("request_timeout", "The body came too slowly."));
    }
    if (this.#incoming.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** A shorter body can exceed only the limit of depth. */
const SHORT_BYTES = FIXED_LIMITS.maxNameBytes;

function parseAtOnce(body: Buffer, limits: JsonLimits): unknown {
  const excess = body.length > SHORT_BYTES ? new JsonScan(limits).advance(body, body.length) : undefined;
  if (excess) throw excessError(excess);
  const read = readJson(body, { maxDepth: limits.maxDepth });
  if (read.ok) return read.value;
  throw read.problem === "too_deep" ? excessError("too_deep") : new GatewayError("invalid_json");
}
