/** A text of our own or the operator's as a literal. What a user says is never part of SQL: it is bound. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A column of a file, in any case, as an identifier. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export type Param = string | number | null;

/** Collects the values of a statement. Each place in the text is a number: `$3`. */
export class Params {
  readonly values: Param[] = [];

  add(value: Param): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** Dates are bound as texts. */
  date(day: string): string {
    return `CAST(${this.add(day)} AS DATE)`;
  }
}
