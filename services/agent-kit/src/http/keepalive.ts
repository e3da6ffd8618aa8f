/** A stream as the keeper sees it. Times are of `performance.now()`. */
export type Kept = {
  readonly lastWriteAt: number;
  /** Since when the reader has taken nothing, if it is behind. */
  readonly blockedAt: number | undefined;
  comment(): void;
  drop(): void;
};

export type Keeper = {
  add(stream: Kept): void;
  delete(stream: Kept): void;
};

/** One timer for all streams: a comment to those that have been silent, an end to those that nobody reads. */
export const createKeeper = (
  times: () => { readonly keepaliveMs: number; readonly stallMs: number },
): Keeper => {
  const streams = new Set<Kept>();
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    const { keepaliveMs, stallMs } = times();
    const now = performance.now();
    for (const stream of streams) {
      if (stream.blockedAt === undefined) {
        if (now - stream.lastWriteAt >= keepaliveMs) stream.comment();
      } else if (now - stream.blockedAt >= stallMs) stream.drop();
    }
  };

  return {
    add(stream) {
      streams.add(stream);
      const { keepaliveMs, stallMs } = times();
      timer ??= setInterval(look, Math.min(1000, keepaliveMs / 4, stallMs / 4));
    },
    delete(stream) {
      streams.delete(stream);
      if (streams.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
};
