/** Whom a message names, at a place of it. Several names are several transfers; alternatives are for the user to choose from. */
export type FoundTargets = {
  readonly start: number;
  readonly end: number;
  readonly names: readonly string[];
  readonly alternatives: boolean;
  /** Whether the words say so themselves ("to", "에게"), and not only their place. */
  readonly marked: boolean;
};
