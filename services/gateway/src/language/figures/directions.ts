import type { Figure } from "./figure.ts";

/** Characters before a number in which its direction is looked for. */
const WINDOW = 60;

const DOWN =
  /\b(?:f[ae]ll(?:s|en|ing)?|drop\w*|declin\w*|decreas\w*|down|lower\w*|reduc\w*|cuts?|los[est]\w*|overdra\w+|ow(?:e[sd]?|ing)|deficits?|shrink\w*|shrank|minus|negative|worsen\w*)\b|감소|하락|인하|떨어|줄어|줄[고며]|내려|내[린립]|마이너스|손실/giu;
const DOWN_TOO = /\b(?:less|below|under|short|fewer|smaller|cheaper|worse)\b|낮|적[은게]/giu;
const UP =
  /\b(?:r[io]ses?|risen|rising|increas\w*|up(?!\s+to)|gain\w*|grow\w*|grew|climb\w*|higher|rais\w*|plus|improv\w*)\b|증가|상승|인상|오르|올라|늘|높|플러스/giu;
/** What is said between a number and the word that tells of a change, where the number is the change. */
const BY = /^\s*(?:(?:by|of|about|roughly|approximately|around|nearly|some|an?|약|가량)\s*)*$/iu;
/** A number after or before one of these is a level: what it falls to. */
const LEVEL_BEFORE =
  /(?:\b(?:from|to|at|reach\w*|between)|→|->)\s*(?:(?:about|roughly|approximately|around|nearly|약)\s*)?$/iu;
const LEVEL_AFTER = /^\s*(?:→|->|에서|까지|로(?!\s*인해)|으로)/u;

/** "Lost 12 % in March and 8 % in April": what is said of the first number is said of the second, too. */
export function withDirections(figures: readonly Figure[], text: string): Figure[] {
  const directions: Figure[] = [];
  for (const [at, figure] of figures.entries()) {
    const said = directed(figure, figures[at - 1], figures[at + 1], text);
    const before = directions[at - 1];
    const goesOn =
      before?.far !== undefined &&
      said.far === undefined &&
      before.unit === said.unit &&
      said.start - before.end <= WINDOW &&
      isJoined(text.slice(before.end, said.start));
    directions.push(goesOn && before.far ? { ...said, far: before.far } : said);
  }
  return directions;
}

const isJoined = (between: string): boolean =>
  /,|\band\b|및|고/iu.test(between) && !/[.;:!?\n()]/u.test(between) && !LEVEL_BEFORE.test(between);

function directed(
  figure: Figure,
  before: Figure | undefined,
  after: Figure | undefined,
  text: string,
): Figure {
  const ahead = text.slice(Math.max(before?.end ?? 0, figure.start - WINDOW), figure.start);
  const behind = text.slice(figure.end, Math.min(after?.start ?? text.length, figure.end + 40));
  if (LEVEL_BEFORE.test(ahead) || LEVEL_AFTER.test(behind)) return figure;
  const left = ahead.split(/[.,;:!?\n()]/u).at(-1) ?? "";
  const [right = ""] = behind.split(/[.,;:!?\n()]/u);
  const heard = (["-", "+"] as const).flatMap((sign) => {
    const patterns = sign === "-" ? [DOWN, DOWN_TOO] : [UP];
    return patterns.flatMap((pattern, weak) => [
      ...Array.from(left.matchAll(pattern), (one) => ({
        sign,
        weak,
        gap: left.slice(one.index + one[0].length),
      })),
      ...Array.from(right.matchAll(pattern), (one) => ({ sign, weak, gap: right.slice(0, one.index) })),
    ]);
  });
  const [nearest] = heard.toSorted((one, other) => one.gap.length - other.gap.length);
  if (!nearest) return figure;
  const isNear = nearest.weak === 0 && BY.test(nearest.gap);
  return { ...figure, far: nearest.sign, ...(isNear ? { near: nearest.sign } : {}) };
}
