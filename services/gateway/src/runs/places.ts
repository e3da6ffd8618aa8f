/** Whose run it is. */
export type Owner = { readonly tenant: string; readonly subject: string };

/** A place among the runs that a replica executes at once. */
export type Place = {
  /** Gives the place back; a second call does nothing. */
  leave(): void;
};

/**
 * The places of a replica, shared by dynamic thresholds: a user gets another place only while holding fewer than are free. So one user
 * alone gets half of them, two get a third each, and a new user always finds one. Choudhury and Hahne, "Dynamic queue length thresholds for
 * shared-memory packet switches", IEEE/ACM Transactions on Networking 6 (1998), with alpha = 1.
 */
export class Places {
  readonly #count: number;
  readonly #taken = new Map<string, number>();
  #free: number;
  /** Resolved when the next place is given back. */
  #left = Promise.withResolvers<void>();

  constructor(count: number) {
    this.#count = count;
    this.#free = count;
  }

  /** Whether somebody could get a place. */
  get hasFree(): boolean {
    return this.#free > 0;
  }

  get size(): number {
    return this.#count - this.#free;
  }

  /** @returns undefined where no place is free, or the owner has his share */
  take({ tenant, subject }: Owner): Place | undefined {
    const owner = `${tenant}/${subject}`;
    const taken = this.#taken.get(owner) ?? 0;
    // The first place needs no threshold: one is enough to get on.
    if (this.#free === 0 || (taken > 0 && taken >= this.#free)) return undefined;
    this.#free--;
    this.#taken.set(owner, taken + 1);
    let left = false;
    return {
      leave: () => {
        if (left) return;
        left = true;
        this.#leave(owner);
      },
    };
  }

  /** Resolves when a place is free. */
  async room(): Promise<void> {
    while (!this.hasFree) await this.#left.promise;
  }

  /** Resolves when all places are free. */
  async empty(): Promise<void> {
    while (this.size > 0) await this.#left.promise;
  }

  #leave(owner: string): void {
    this.#free++;
    const taken = (this.#taken.get(owner) ?? 1) - 1;
    if (taken === 0) this.#taken.delete(owner);
    else this.#taken.set(owner, taken);
    this.#left.resolve();
    this.#left = Promise.withResolvers();
  }
}
