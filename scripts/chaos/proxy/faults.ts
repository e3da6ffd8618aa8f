export type Matches = (request: Buffer) => boolean;

/** The faults that the proxy injects. */
export type Faults = {
  delayMs: number;
  /** No data passes, on any connection. */
  hole: boolean;
  replyDrop: { when: Matches; done: () => void } | undefined;
  replyCut: { after: number; when: Matches; done: (forwarded: Buffer) => void } | undefined;
};
