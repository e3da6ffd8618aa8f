/** A part of a text, from its first character to behind its last. */
export type Span = { start: number; end: number };

/** Adds a part to parts that are in order and apart from each other; those that overlap become one. */
export function addSpan(spans: Span[], { start, end }: Span): void {
  const first = firstEndingAfter(spans, start);
  let behind = first;
  const joined = { start, end };
  for (let next = spans[behind]; next && next.start < end; next = spans[++behind]) {
    joined.start = Math.min(joined.start, next.start);
    joined.end = Math.max(joined.end, next.end);
  }
  spans.splice(first, behind - first, joined);
}

/** Whether one of the parts contains this one. */
export function isCovered(spans: readonly Span[], { start, end }: Span): boolean {
  if (spans.length === 0) return false;
  const span = spans[firstEndingAfter(spans, start)];
  return span !== undefined && span.start <= start && end <= span.end;
}

function firstEndingAfter(spans: readonly Span[], place: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
