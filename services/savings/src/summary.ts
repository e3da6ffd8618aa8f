import { filterText, wordsIn } from "@interlock/finops";
import type { SavingsPlan } from "@interlock/finops/savings";
import type { FromBills } from "./from-bills.ts";

const MOST_LINES = 10;

const TEXTS = {
  en: {
    none: "Nothing was found that would save money.",
    together: (joint: string, sum: string) =>
      `Together they save ${joint} a month; added up they would be ${sum}.`,
    line: (kind: string, target: string, saving: string) => `${kind} ${target}: ${saving} a month`,
    more: (count: number) => `… ${count} more`,
    notJudged: (count: number) => `${count} not judged: data are missing, which is not a sign of idleness.`,
    untagged: (cost: string, share: string) => `Untagged spend: ${cost} a month (${share}).`,
    basis: (rows: string, days: string, cost: string) =>
      `Judged by ${rows} charges of ${days}, ${cost} a month of effective cost.`,
    share: (share: string) => ` That is ${share} of what was judged.`,
    coverage: (provider: string, coverage: string, utilisation: string, unused: string) =>
      `Commitments of ${provider} cover ${coverage} of what they could${utilisation === "" ? "" : `; ${utilisation} of them is used, ${unused} a month is not`}.`,
    noOffers: (providers: string) =>
      `No commitment of ${providers} is in the bills, so that its discount is not known and none is recommended.`,
    otherCurrencies: (currencies: string) => `Charges in ${currencies} are not judged.`,
    details: (confidence: string, risk: string) => ` (confidence ${confidence}, risk ${risk})`,
    grades: { low: "low", medium: "medium", high: "high" },
    kinds: {
      commitment: "Commit to",
      rightsizing: "Make smaller:",
      idle: "Stop:",
      orphaned: "Delete:",
      storage_tier: "Change the tier of",
      data_transfer: "Reroute",
      untagged: "Tag",
    },
  },
  ko: {
    none: "절감할 수 있는 항목을 찾지 못했습니다.",
    together: (joint: string, sum: string) =>
      `모두 실행하면 월 ${joint} 절감됩니다. 단순 합계는 ${sum}입니다.`,
    line: (kind: string, target: string, saving: string) => `${kind} ${target}: 월 ${saving}`,
    more: (count: number) => `… 외 ${count}건`,
    notJudged: (count: number) => `판단 보류 ${count}건: 데이터가 없으며, 유휴라는 뜻은 아닙니다.`,
    untagged: (cost: string, share: string) => `태그 없는 비용: 월 ${cost} (${share}).`,
    basis: (rows: string, days: string, cost: string) =>
      `${days} 청구 ${rows}건, 월 실질 비용 ${cost} 기준입니다.`,
    share: (share: string) => ` 대상 비용의 ${share}입니다.`,
    coverage: (provider: string, coverage: string, utilisation: string, unused: string) =>
      `${provider} 약정은 가능한 사용량의 ${coverage}를 덮습니다${utilisation === "" ? "" : `. 사용률 ${utilisation}, 월 ${unused} 미사용`}.`,
    noOffers: (providers: string) =>
      `${providers} 약정은 청구에 없어 할인율을 알 수 없으므로 권장하지 않습니다.`,
    otherCurrencies: (currencies: string) => `${currencies} 청구는 판단하지 않았습니다.`,
    details: (confidence: string, risk: string) => ` (신뢰도 ${confidence}, 위험 ${risk})`,
    grades: { low: "낮음", medium: "보통", high: "높음" },
    kinds: {
      commitment: "약정",
      rightsizing: "크기 축소",
      idle: "중지",
      orphaned: "삭제",
      storage_tier: "스토리지 계층 변경",
      data_transfer: "전송 경로 변경",
      untagged: "태그 지정",
    },
  },
} as const;

/** What a plan comes to, in a few lines. */
export function summaryOf(
  { recommendations, joint, sum, not_judged, untagged }: SavingsPlan,
  {
    currency,
    language,
    basis,
  }: {
    readonly currency: string;
    readonly language: string | undefined;
    /** Where the bills were judged: how much of them, and what commitments cover already. */
    readonly basis?: FromBills;
  },
): string {
  const locale = /^ko\b/i.test(language ?? "") ? "ko" : "en";
  const text = TEXTS[locale];
  const money = new Intl.NumberFormat(locale, { style: "currency", currency });
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const saving = recommendations.filter(({ monthly_saving }) => monthly_saving > 0);
  const lines = saving
    .toSorted((a, b) => b.monthly_saving - a.monthly_saving)
    .slice(0, basis?.top ?? MOST_LINES)
    .map(
      ({ kind, action, monthly_saving, confidence, risk }) =>
        // What stands idle and cannot be stopped is deleted, which is to be said before anybody decides.
        text.line(
          text.kinds[action.type === "delete" ? "orphaned" : kind],
          action.target,
          money.format(monthly_saving),
        ) + text.details(text.grades[confidence], text.grades[risk]),
    );
  const judged = basis ? not_judged.filter(({ reason }) => reason !== "NO_OFFERS") : not_judged;
  const together =
    saving.length === 0
      ? text.none
      : text.together(money.format(joint), money.format(sum)) +
        (basis && basis.monthly_cost > 0 ? text.share(percent.format(joint / basis.monthly_cost)) : "");
  return [
    together,
    ...lines.map((line) => `- ${line}`),
    ...(saving.length > lines.length ? [text.more(saving.length - lines.length)] : []),
    ...(judged.length > 0 ? [text.notJudged(new Set(judged.map(({ subject }) => subject)).size)] : []),
    ...(untagged.monthly_cost > 0
      ? [text.untagged(money.format(untagged.monthly_cost), percent.format(untagged.share))]
      : []),
    ...(basis ? basisLines(basis, { language, text, money, percent }) : []),
  ].join("\n");
}

type Printing = {
  readonly language: string | undefined;
  readonly text: (typeof TEXTS)["en" | "ko"];
  readonly money: Intl.NumberFormat;
  readonly percent: Intl.NumberFormat;
};

function basisLines(basis: FromBills, { language, text, money, percent }: Printing): string[] {
  const words = wordsIn(language);
  const { kinds, coverage, not_judged, other_currencies, filter, restricted, not_applied } = basis;
  const withOffers = coverage.filter((one) => one.coverage !== null && one.committed > 0);
  const isOfCommitments = kinds.includes("commitment");
  return [
    ...(isOfCommitments
      ? withOffers.map(({ provider, coverage: share, utilisation, unused }) =>
          text.coverage(
            provider,
            percent.format(share ?? 0),
            utilisation === null ? "" : percent.format(utilisation),
            money.format(unused),
          ),
        )
      : []),
    ...(isOfCommitments && not_judged.length > 0
      ? [text.noOffers(not_judged.map(({ subject }) => subject).join(", "))]
      : []),
    ...(other_currencies.length > 0 ? [text.otherCurrencies(other_currencies.join(", "))] : []),
    text.basis(basis.rows.toLocaleString("en"), words.period(basis.period), money.format(basis.monthly_cost)),
    ...(filter.length > 0 ? [words.filter(filter.map((one) => filterText(one, words)).join("; "))] : []),
    ...(restricted ? [words.restricted] : []),
    ...(not_applied.length > 0
      ? [words.notApplied([...new Set(not_applied.map(({ slot }) => slot))].join(", "))]
      : []),
  ];
}
