import type { Texts } from "./en.ts";
import { analysisInKorean } from "./ko-analysis.ts";
import { constraintsInKorean } from "./ko-constraints.ts";
import { FOUND_IN_KOREAN } from "./ko-data.ts";
import type { Numbers, ViolationType } from "./numbers.ts";

const VIOLATIONS: Readonly<Record<ViolationType, string>> = {
  hierarchy_inversion: "등급 간 가격 역전",
  insufficient_tier_margin: "등급 간 최소 간격 미달",
  invalid_price: "유효하지 않은 가격",
  out_of_bounds: "가격 범위 이탈",
  below_minimum_margin: "최소 마진 미달",
  above_maximum_change: "최대 변동폭 초과",
};

const OBJECTIVES = { profit: "이익", revenue: "매출" } as const;

/** What cannot be priced. The codes are stable, the messages that come with them are English. */
const FAILURES: Readonly<Record<string, string>> = {
  INFEASIBLE: "모든 규칙을 함께 지키는 가격이 없습니다.",
  UNBOUNDED: "가격을 제한하는 규칙이 없어 최적 가격이 정해지지 않습니다.",
  NO_USABLE_ROWS: "수요를 추정할 수 있는 데이터 행이 없습니다.",
  UNKNOWN_DATASET: "데이터셋을 찾을 수 없습니다.",
  INVALID_DATASET: "데이터셋을 읽을 수 없습니다.",
  CONFLICTING_CONSTRAINTS: "요청하신 조건이 서로 맞지 않아 가능한 가격이 없습니다.",
};

/** The agents' sentences in Korean. */
export function korean(n: Numbers): Texts {
  const items = (count: number) => `품목 ${n.count(count)}개`;
  const inBrackets = (share: string | undefined) => (share === undefined ? "" : ` (${share})`);
  return {
    list: (parts) => parts.join(", "),
    sampleCatalogue: (count) =>
      `고객님의 데이터가 아니라 에이전트에 들어 있는 샘플 카탈로그(${items(count)})의 결과입니다.`,
    catalogueRead: (read) =>
      [
        `${items(read.items)}의 ${n.count(read.rows)}개 행을 읽었습니다: ${read.columns.join(", ")}.`,
        ...(read.unused.length === 0 ? [] : [`쓰지 않은 열: ${read.unused.join(", ")}.`]),
        ...(read.tiers.length < 2 ? [] : [`비싼 등급부터: ${read.tiers.join(", ")}.`]),
        ...(read.elasticity === undefined ? [] : [`모두에 가정한 탄력성: ${read.elasticity}.`]),
      ].join(" "),
    more: (count) => `- … 외 ${n.count(count)}개`,
    missing: (count, named) =>
      [
        `${items(count)}는 처리하지 못했습니다:`,
        ...named,
        ...(count > named.length ? [`그 밖에 ${items(count - named.length)}`] : []),
      ].join("\n- "),
    failure: ({ code, message }) =>
      (Object.hasOwn(FAILURES, code) ? FAILURES[code] : undefined) ??
      `품목 정보를 처리할 수 없습니다. (${message})`,

    proposal: {
      title: ({ priced, failed, onlyViolating }) => {
        if (onlyViolating) return `현재 규칙을 위반한 ${items(priced)}의 제안 가격`;
        return failed === 0 ? "제안 가격" : `제안 가격 (${items(priced + failed)} 중 ${n.count(priced)}개)`;
      },
      price: (name, tier, { from, to, share }) => `- ${name}, ${tier}: ${from} → ${to}${inBrackets(share)}`,
      table: {
        title: "제안 가격",
        columns: { item: "품목", tier: "등급", today: "현재", proposed: "제안", change: "변동", why: "이유" },
        why: {
          best: (objective) => `기간당 ${OBJECTIVES[objective]} 최대`,
          held: "데이터로 수요 변화를 알 수 없어 유지",
          frozen: "그대로 유지",
          substitution: "등급 간 수요 이동을 데이터로 알 수 있는 범위까지",
          caution: "이익이 데이터로 확인되는 범위까지",
          repaired: "규칙을 지키도록 조정",
          gap: (other) => `${other} 등급과의 최소 간격`,
          order: (other, above) => `${other} 등급 바로 ${above ? "위" : "아래"}`,
          limit: (limit) => limit,
        },
      },
      failures: (count) => `가격을 찾지 못한 ${items(count)}`,
      effect: (profit, revenue) =>
        `이익 ${profit.from} → ${profit.to}, 매출 ${revenue.from} → ${revenue.to}.`,
      effectWithShares: (profit, revenue) =>
        `예상 효과: 이익 ${profit.from} → ${profit.to}${inBrackets(profit.share)}, 매출 ${revenue.from} → ${revenue.to}${inBrackets(revenue.share)}.`,
      warnings: "유의 사항",
      data: "데이터 점검",
      found: (code, tiers, rows) =>
        `- ${FOUND_IN_KOREAN[code]} (가격 ${n.count(tiers)}개${rows > 0 ? `, 행 ${n.count(rows)}개` : ""})`,
      forms: (tiers, low, high) =>
        `- 수요 곡선의 형태가 확정되지 않음: 데이터가 배제하지 않는 형태들로 보면 가격 ${n.count(tiers)}개 변경의 이득은 기간당 ${low}에서 ${high} 사이`,
      pricesFollow: (tiers) =>
        `- 가격 ${n.count(tiers)}개가 수요나 경쟁 가격을 따라 움직였는지는 데이터로 알 수 없음(그렇다면 탄력성이 틀림): prices_follow로 알려 주세요`,
      upside: (objective) => `개선 여력이 큰 품목 (기간당 ${OBJECTIVES[objective]}, 현재 가격 → 최적 가격)`,
      gain: (name, { from, to }, gain) => `- ${name}: ${from} → ${to} (${gain})`,
      move: ({ from, to, share }) =>
        `현재 가격에서 기간당 이익은 ${from}이며, 이렇게 변경하면 ${to}${inBrackets(share)}로 예상됩니다.`,
      costMove: ({ from, to, share }, best) =>
        `현재 가격을 유지하면 기간당 이익은 ${from}에서 ${to}${inBrackets(share)}로 바뀝니다. 이 원가에 맞추어 가격을 다시 정하면 ${best}로 예상됩니다.`,
    },

    policy: {
      keep: (count, proposed) =>
        `${items(count)}의 ${proposed ? "제안 가격" : "가격"}이 모든 규칙을 지킵니다.`,
      breaks: (count, proposed, found) =>
        `${items(count)}의 ${proposed ? "제안 가격" : "가격"}에서 ${found}의 규칙 위반이 있습니다.`,
      todayKeeps: "현재 가격도 모든 규칙을 지킵니다.",
      todayBreaks: (found) => `현재 가격에는 ${found}의 위반이 있습니다.`,
      found: (total, parts) => `${n.count(total)}건(${parts.join(", ")})`,
      violations: (type, count) => `${VIOLATIONS[type]} ${n.count(count)}건`,
      fixes: (count) => `가격 ${n.count(count)}개를 바꾸면 전체 변동을 가장 작게 하면서 모두 해소됩니다.`,
      stuck: (count) => `${items(count)}는 규칙이 서로 모순되어 해소할 방법이 없습니다.`,
      released: (count) => `고정한 가격 ${n.count(count)}개는 유지할 수 없어 풀었습니다.`,
      worst: (count) => `가장 심한 ${n.count(count)}건:`,
      moveKeeps: "위반되는 규칙은 없습니다.",
      moveBreaks: (broken, fresh) => {
        const head = `위반하게 될 규칙: ${n.count(broken)}건`;
        if (fresh === 0) return `${head}. 현재와 같습니다.`;
        return fresh === broken
          ? `${head}. 모두 현재는 지켜지고 있습니다:`
          : `${head}. 그중 ${n.count(broken - fresh)}건은 현재도 위반입니다. 새로운 위반:`;
      },
    },

    violation: {
      needsPrice: (tier) => `${tier} 가격은 0보다 큰 유한한 수여야 합니다.`,
      below: (tier, price, least, rule) => `${tier} ${price}: ${rule} 하한인 ${least}보다 낮습니다.`,
      above: (tier, price, most, rule) => `${tier} ${price}: ${rule} 상한인 ${most}보다 높습니다.`,
      rules: {
        bounds: "가격 범위의",
        minimum_margin: "원가 대비 최소 마진의",
        max_change: "최대 변동폭의",
      },
      withinIncrement: ({ higher, high, lower, low }, increment) =>
        `${lower} ${low}: ${higher} ${high}보다 낮은 폭이 가격 단위 하나(${increment})에 못 미칩니다.`,
      inverted: ({ higher, high, lower, low }) => `${lower} ${low}: ${higher} ${high}보다 낮지 않습니다.`,
      gap: ({ higher, high, lower, low }, actual, required) =>
        `${lower} ${low}: ${higher} ${high}보다 ${actual} 낮습니다. 최소 ${required} 차이가 필요합니다.`,
    },

    report: {
      todayKeeps: "정책: 현재 가격은 모든 규칙을 지킵니다.",
      todayBreaks: (count) => `정책: 현재 가격의 규칙 위반은 ${n.count(count)}건입니다.`,
      smallestFix: "현재 가격을 가장 적게 바꾸는 해소 방안:",
      keeps: (repairs) =>
        repairs === 0
          ? "제안 가격은 모든 규칙을 지킵니다."
          : `제안 가격은 ${n.count(repairs)}차례 보정을 거쳐 모든 규칙을 지킵니다.`,
      breaks: (count) => `제안 가격에 남은 규칙 위반은 ${n.count(count)}건입니다.`,
      drivers: (text) => `변동 요인: ${text}`,
      robustness: (text) => `견고성: ${text}`,
      nothingViolates: "현재 가격은 모든 규칙을 지키고 있어 바꿀 것이 없습니다.",
      noPrices: (failed) =>
        failed === 0 ? "제안할 가격이 없습니다." : `${items(failed)} 모두 가격을 찾지 못했습니다.`,
    },

    constraints: constraintsInKorean(n),
    ...analysisInKorean(n),
  };
}
