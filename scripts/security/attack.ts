import type { World } from "./world.ts";

/** Something that somebody with bad intent would try. */
export type Attack = {
  readonly name: string;
  /** What a safe mesh comes to. */
  readonly expected: string;
  /** Where several outcomes are as good: which. */
  readonly accepts?: RegExp;
  /** Tries it against the running mesh. @returns what it came to, in the words of `expected` */
  run(world: World): Promise<string>;
};

export type Area = { readonly title: string; readonly attacks: readonly Attack[] };

export type Tried = Attack & { readonly area: string; readonly got: string };

export function isHeld({ expected, accepts, got }: Tried): boolean {
  return accepts ? accepts.test(got) : got === expected;
}

/** Tries all attacks of an area, one after the other: what one leaves behind must not help or hide another. */
export async function tryAll({ title, attacks }: Area, world: World): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const attack of attacks) {
    const got = await attack.run(world).catch((error: unknown) => `could not be tried: ${String(error)}`);
    tried.push({ ...attack, area: title, got });
  }
  return tried;
}
