import type { Approvals } from "../approvals/index.ts";
import { type Caller, principalOf } from "../caller.ts";
import type { Access } from "../identity/index.ts";
import { flowStep, type Mesh } from "../mesh/index.ts";
import { type ApprovalHead, type BookStore, keysOf } from "../store/index.ts";
import type { Books } from "./books.ts";

/** The state of one request for approval in the store. Times are milliseconds. */
export type RequestState = {
  /** Of the approval. */
  id: string;
  flow: string;
  step: string;
  state: ApprovalHead["state"];
  /** Whether it belongs to the session of the question. */
  here: boolean;
  /** The caller's own. */
  own: boolean;
  requestedBy: string;
  since: number;
  until: number;
  /** The roles that may decide it. */
  roles: readonly string[];
  fourEyes: boolean;
  decided?: { by: string; at: number; note?: string };
  /** Absent where the step writes to no book. */
  book?: { name: string; publishedAt?: number };
};

/** An entry of a book. */
export type Publication = { book: string; at: number; requestedBy?: string; approvedBy?: string };

export type EffectState = {
  /** Pending ones first, those of the session before others; then the decided ones of the caller and of the session, latest first. */
  requests: readonly RequestState[];
  /** The latest entries of the books that the caller may read, newest first. */
  publications: readonly Publication[];
};

export type EffectStatesDeps = {
  mesh: Mesh;
  access: Access;
  approvals: Approvals;
  books: Books;
  bookStore: Pick<BookStore, "publishedAt">;
};

/** Maximum number of approvals that are read: pending ones, and the latest of the tenant. */
const MOST_APPROVALS = 200;
const MOST_ENTRIES = 3;

/** Tells a caller how requests with effects stand: what waits and for whom, who decided, what was published. */
export class EffectStates {
  readonly #deps: EffectStatesDeps;
  readonly #books: ReadonlySet<string>;

  constructor(deps: EffectStatesDeps) {
    this.#deps = deps;
    const steps = [...deps.mesh.flows.values()].flatMap((flow) => [...flow.steps.values()]);
    this.#books = new Set(steps.flatMap((step) => (step.kind === "publish" ? [step.to] : [])));
  }

  /** @throws GatewayError store_unavailable */
  async read(caller: Caller, sessionId: string): Promise<EffectState> {
    const { approvals } = this.#deps;
    const heads = await approvals.heads(caller, MOST_APPROVALS);
    const me = principalOf(caller);
    const known = heads.map((head) => {
      const own = head.owner === undefined ? head.requestedBy === caller.subject : head.owner === me;
      return { head, own, here: own && head.sessionId === sessionId };
    });
    const wanted = known.filter(({ head, own }) => head.state === "pending" || own).toSorted(order);
    const [requests, publications] = await Promise.all([
      this.#requests(caller, wanted),
      this.#publications(caller),
    ]);
    return { requests, publications };
  }

  async #requests(caller: Caller, known: readonly Known[]): Promise<RequestState[]> {
    const { bookStore, approvals } = this.#deps;
    const times = await bookStore.publishedAt(
      keysOf(caller.tenant),
      known.map(({ head }) => head),
    );
    return known.map(({ head, own, here }, at) => {
      const { id, flow, step, state, requestedBy, fourEyes, winner, views } = head;
      const name = this.#bookOf(head);
      const publishedAt = times[at];
      // A caller who may read only the run learns who decided, but not the decider's note.
      const note = views ? winner?.note : undefined;
      return {
        ...{ id, flow, step, state, here, own, requestedBy, fourEyes },
        since: head.createdAt,
        until: head.expiresAt,
        roles: approvals.deciders(head),
        ...(winner
          ? { decided: { by: winner.by, at: Date.parse(winner.at), ...(note === undefined ? {} : { note }) } }
          : {}),
        ...(name === undefined
          ? {}
          : { book: { name, ...(publishedAt === undefined ? {} : { publishedAt }) } }),
      };
    });
  }

  /** What another gateway asks for, it writes to its own book. */
  #bookOf(head: ApprovalHead): string | undefined {
    const found = head.remote ? undefined : flowStep(this.#deps.mesh, head);
    return found?.kind === "publish" ? found.to : undefined;
  }

  async #publications(caller: Caller): Promise<Publication[]> {
    const { access, books } = this.#deps;
    const readable = [...this.#books].filter((name) => access.may(caller, "view", { kind: "book", name }));
    const read = async (book: string): Promise<Publication[]> => {
      const { entries } = await books.read(caller, book, { limit: MOST_ENTRIES, behind: undefined });
      return entries.map(({ published_at, requested_by, approval }) => ({
        book,
        at: Date.parse(published_at),
        ...(requested_by === undefined ? {} : { requestedBy: requested_by }),
        ...(approval ? { approvedBy: approval.decided_by } : {}),
      }));
    };
    const all = (await Promise.all(readable.map(read))).flat();
    return all.toSorted((one, other) => other.at - one.at);
  }
}

type Known = {
  head: Awaited<ReturnType<Approvals["heads"]>>[number];
  own: boolean;
  here: boolean;
};

function order(one: Known, other: Known): number {
  const rank = ({ head, own, here }: Known) => (head.state === "pending" ? 0 : 4) + (here ? 0 : own ? 1 : 2);
  return rank(one) - rank(other) || other.head.createdAt - one.head.createdAt;
}
