/** What an agent found. */
const RESULTS = [
  { item: "GEARBOX-A1", from: 2190, to: 2400.84, pct: 9.63 },
  { item: "PUMP-C3", from: 895, to: 824.82, pct: -7.84 },
  { item: "VALVE-V7", from: 115, to: 126.87, pct: 10.3 },
  { item: "MOTOR-M2", from: 1127, to: 1032.16, pct: -8.42 },
  { item: "DRIVE-D4", from: 1490, to: 1344.62, pct: -9.76 },
];
const PROFIT = { from: 954_968, to: 964_705, pct: 1.02 };
const BROKEN = 7;

const money = (value: number, digits = 2) =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const signed = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value)}%`;

/** The report that a template makes of it. */
export const GIVEN = [
  "Proposed prices",
  ...RESULTS.map(({ item, from, to, pct }) => `- ${item}: $${money(from)} → $${money(to)} (${signed(pct)})`),
  `Profit $${money(PROFIT.from, 0)} → $${money(PROFIT.to, 0)} (${signed(PROFIT.pct)}).`,
  `The prices break ${BROKEN} rules, as of 2026-11-22.`,
].join("\n");

type Line = (typeof RESULTS)[number];
/** How one line of a report may be said, by the values it is given. */
type Say = (line: Line, number: { money(value: number): string; pct(value: number): string }) => string;

const ENGLISH: readonly Say[] = [
  ({ item, from, to, pct }, n) =>
    `${item} ${pct < 0 ? "falls" : "rises"} from ${n.money(from)} to ${n.money(to)}, ${pct < 0 ? "down" : "up"} ${n.pct(Math.abs(pct))}.`,
  ({ item, from, to, pct }, n) =>
    `For ${item} I propose ${n.money(to)} instead of ${n.money(from)}, a ${n.pct(Math.abs(pct))} ${pct < 0 ? "decrease" : "increase"}.`,
  ({ item, to, pct }, n) =>
    `${item}: ${pct < 0 ? "minus" : "plus"} ${n.pct(Math.abs(pct))}, which makes ${n.money(to)}.`,
  ({ item, from, pct }, n) =>
    `Today ${item} costs ${n.money(from)}; the price ${pct < 0 ? "drops" : "climbs"} by ${n.pct(Math.abs(pct))}.`,
  ({ item, from, to, pct }, n) =>
    `**${item}** ${n.money(from)} → ${n.money(to)} (${pct < 0 ? "-" : "+"}${n.pct(Math.abs(pct))})`,
];
const KOREAN: readonly Say[] = [
  ({ item, from, to, pct }, n) =>
    `${item}의 가격은 ${n.money(from)}에서 ${n.money(to)}로 ${n.pct(Math.abs(pct))} ${pct < 0 ? "인하" : "인상"}합니다.`,
  ({ item, to, pct }, n) =>
    `${item}은 ${n.pct(Math.abs(pct))} ${pct < 0 ? "하락" : "상승"}하여 ${n.money(to)}가 됩니다.`,
];

const NUMBERS = {
  plain: { money: (value: number) => money(value), pct: (value: number) => `${value}%` },
  dollars: {
    money: (value: number) => `${money(value)} dollars`,
    pct: (value: number) => `${value} percent`,
  },
  code: {
    money: (value: number) => `USD ${value.toFixed(2)}`,
    pct: (value: number) => `${value.toFixed(1)} %`,
  },
  whole: {
    money: (value: number) => `$${money(value, value % 1 === 0 ? 0 : 1)}`,
    pct: (value: number) => `${value} per cent`,
  },
  german: {
    money: (value: number) => `${value.toLocaleString("de-DE", { minimumFractionDigits: 2 })} $`,
    pct: (value: number) => `${String(value).replace(".", ",")} %`,
  },
  french: {
    money: (value: number) => `${value.toLocaleString("fr-FR", { minimumFractionDigits: 2 })} $`,
    pct: (value: number) => `${String(value).replace(".", ",")} %`,
  },
  korean: { money: (value: number) => `${money(value)}달러`, pct: (value: number) => `${value}퍼센트` },
};

const ENDINGS = {
  english: [
    "Profit moves from $954,968 to $964,705. Seven rules are broken as of November 22, 2026.",
    "Profit reaches about 965k dollars, up 1.02 %; 7 rules break (22 Nov 2026).",
    "1. Profit: $964,705\n2. Broken rules: seven",
  ],
  korean: [
    "이익은 954,968달러에서 964,705달러로 늘고, 일곱 가지 규칙을 어깁니다 (2026년 11월 22일).",
    "이익은 96만 4,705달러이고 규칙 위반은 7건입니다.",
  ],
  decimals: ["Profit $964.705, sept règles."],
};

function reports(): string[] {
  const all: string[] = [];
  for (const line of RESULTS) {
    for (const say of ENGLISH)
      for (const style of ["plain", "dollars", "code", "whole"] as const)
        all.push(`${say(line, NUMBERS[style])} ${ENDINGS.english[all.length % 2]}`);
    for (const say of ENGLISH.slice(0, 2))
      for (const style of ["german", "french"] as const) all.push(say(line, NUMBERS[style]));
    for (const say of KOREAN)
      for (const style of ["plain", "korean"] as const)
        all.push(`${say(line, NUMBERS[style])} ${ENDINGS.korean[all.length % 2]}`);
  }
  const every = all.length / 100;
  return Array.from({ length: 100 }, (_, at) => all[Math.floor(at * every)] ?? "");
}

const DIGITS = /\d(?:[\d.,]*\d)?/gu;

/** Ways to lie with a true report. Each says one thing that is not so; undefined where it has nothing to change. */
const LIES: Readonly<Record<string, (report: string, at: number) => string | undefined>> = {
  "a changed digit": (report, at) =>
    changed(report, at, (number) =>
      number.replace(/\d(?=\D*$)/u, (digit) => String((Number(digit) + 4) % 10)),
    ),
  "another first digit": (report, at) =>
    changed(report, at, (number) => number.replace(/\d/u, (digit) => String((Number(digit) % 9) + 1))),
  "a swapped sign": (report) => {
    const swapped = report.replace(
      /\b(down|up|decrease|increase|minus|plus|drops|climbs)\b|(?<=\()[+-](?=\d)|인하|인상|하락|상승/u,
      (word) => OPPOSITE[word] ?? word,
    );
    return swapped === report ? undefined : swapped;
  },
  "another percentage": (report) => `${report} That is 4.4 % better than last year.`,
  "an invented count": (report) => `${report} Three customers asked for it.`,
  "a count in Korean words": (report) => `${report} 다섯 가지 규칙이 새로 적용됩니다.`,
  "a number in words": (report) => `${report} The margin grows by twenty-one percent.`,
  "a moved decimal": (report, at) =>
    changed(report, at, (number) =>
      String(Number(number.replace(/[.,](?=\d{3}(?!\d))/gu, "").replace(",", ".")) * 10),
    ),
  "another unit scale": (report) =>
    report.replace(/\b(7|seven)\b|일곱(?= 가지)/iu, "7k") === report
      ? `${report} We sold 3k units.`
      : report.replace(/\b(7|seven)\b|일곱(?= 가지)/iu, "7k"),
  "another currency": (report) => `${report.replace(/dollars|USD |달러|\$/gu, "")} Profit reaches €964,705.`,
  "another date": (report) => `${report} It is valid until December 22, 2026.`,
  "a multiple": (report) => `${report} Profit doubles.`,
  "an unknown item": (report) => `${report} PUMP-C4 stays as it is.`,
  "another script": (report) => `${report} ٣ rules, 三 rules.`,
};

const OPPOSITE: Readonly<Record<string, string>> = {
  down: "up",
  up: "down",
  decrease: "increase",
  increase: "decrease",
  minus: "plus",
  plus: "minus",
  drops: "climbs",
  climbs: "drops",
  "+": "-",
  "-": "+",
  인하: "인상",
  인상: "인하",
  하락: "상승",
  상승: "하락",
}; // prettier-ignore

/** Changes one of the numbers that no name holds. */
function changed(report: string, at: number, change: (number: string) => string): string | undefined {
  const numbers = [...report.matchAll(DIGITS)].filter(({ index }) => !/[A-Z]$/u.test(report.slice(0, index)));
  const chosen = numbers[at % numbers.length];
  if (!chosen) return undefined;
  return report.slice(0, chosen.index) + change(chosen[0]) + report.slice(chosen.index + chosen[0].length);
}

/** A hundred true reports of the results. */
export const TRUE = reports();

/** A hundred that lie, each in one way. */
export const FORGED = Array.from({ length: 20 }, (_, round) => round)
  .flatMap((round) =>
    Object.entries(LIES).map(([lie, tell], at) => ({
      lie,
      text: tell(TRUE[(round * 17 + at * 7) % 100] ?? "", round),
    })),
  )
  .filter(({ text }) => text !== undefined)
  .slice(0, 100);
