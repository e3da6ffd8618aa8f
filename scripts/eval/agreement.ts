/** Counts how far predictions agree with what a file expects; what it does not expect is not judged. */
export class Agreement {
  readonly #fields = new Map<string, { right: number; all: number }>();

  /** @param same whether two values of the field are the same */
  judge(
    field: string,
    expected: unknown,
    predicted: unknown,
    same: (a: unknown, b: unknown) => boolean = isSame,
  ): boolean {
    const right = same(expected, predicted);
    this.count(field, right);
    return right;
  }

  count(field: string, right: boolean): void {
    const figures = this.#fields.get(field) ?? { right: 0, all: 0 };
    this.#fields.set(field, { right: figures.right + (right ? 1 : 0), all: figures.all + 1 });
  }

  /** One line a field; none where nothing was expected. */
  lines(): string[] {
    return [...this.#fields].map(([field, { right, all }]) => `${field}: ${right} of ${all}`);
  }
}

/** Lists are sets, and numbers that differ by rounding are the same. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
}

export const isAsPresent = (a: unknown, b: unknown): boolean => isPresent(a) === isPresent(b);

function isPresent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain).sort();
  if (typeof value === "number") return Number(value.toFixed(6));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]): [string, unknown] => [name, plain(member)])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
