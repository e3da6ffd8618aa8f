import type { SavingsPlan } from "@interlock/finops/savings";

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
  { currency, language }: { readonly currency: string; readonly language: string | undefined },
): string {
  const locale = /^ko\b/i.test(language ?? "") ? "ko" : "en";
  const text = TEXTS[locale];
  const money = new Intl.NumberFormat(locale, { style: "currency", currency });
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const saving = recommendations.filter(({ monthly_saving }) => monthly_saving > 0);
  const lines = saving
    .toSorted((a, b) => b.monthly_saving - a.monthly_saving)
    .slice(0, MOST_LINES)
    .map(({ kind, action, monthly_saving }) =>
      text.line(text.kinds[kind], action.target, money.format(monthly_saving)),
    );
  return [
    saving.length === 0 ? text.none : text.together(money.format(joint), money.format(sum)),
    ...lines.map((line) => `- ${line}`),
    ...(saving.length > MOST_LINES ? [text.more(saving.length - MOST_LINES)] : []),
    ...(not_judged.length > 0 ? [text.notJudged(not_judged.length)] : []),
    ...(untagged.monthly_cost > 0
      ? [text.untagged(money.format(untagged.monthly_cost), percent.format(untagged.share))]
      : []),
  ].join("\n");
}
