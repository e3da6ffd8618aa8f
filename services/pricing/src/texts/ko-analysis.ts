import type { analysisInEnglish } from "./en-analysis.ts";
import type { Factor, Numbers, Objective } from "./numbers.ts";

/** Each factor with the baseline that its effect is measured against. */
const FACTORS: Readonly<Record<Factor, string>> = {
  unit_cost: "원가(현재 가격에 내포된 원가 대비)",
  objective: "매출 목표(이익 목표 대비)",
  elasticity: "가격 민감도(현재 가격에 내포된 민감도 대비)",
  demand_level: "등급별 수요 구성(균등 배분 대비)",
  bounds: "가격 범위(제한이 없을 때 대비)",
  max_change: "최대 변동폭(제한이 없을 때 대비)",
  ordering: "등급 순서(순서 제한이 없을 때 대비)",
  gaps: "최소 간격(간격 제한이 없을 때 대비)",
  observed_range: "데이터에서 관측된 가격 범위(제한이 없을 때 대비)",
  substitution: "등급 간 대체 판매를 고려한 보수적 조정(등급이 서로 독립일 때 대비)",
  caution: "데이터로 확인되지 않은 부분에 대한 보수적 조정(추정치 기준 최적 가격 대비)",
  rounding: "가격 단위 반올림(반올림 전 최적 가격 대비)",
  policy_repair: "정책 보정(최적 가격 대비)",
  proposal: "제안 가격 자체(최적 가격 대비)",
};

const LIMITS: Readonly<Record<string, string>> = {
  bounds_min: "가격 하한",
  bounds_max: "가격 상한",
  minimum_margin: "원가 대비 최소 마진",
  max_change_down: "최대 인하폭",
  max_change_up: "최대 인상폭",
  observed_range_min: "데이터에서 관측된 최저 가격",
  observed_range_max: "데이터에서 관측된 최고 가격",
};

const OBJECTIVES: Readonly<Record<Objective, string>> = { profit: "이익", revenue: "매출" };

/** The sentences of explanations and of sensitivity analyses. */
export function analysisInKorean(n: Numbers): ReturnType<typeof analysisInEnglish> {
  const items = (count: number) => `품목 ${n.count(count)}개`;
  const worth = (relaxed: string, value: string | undefined, objective: Objective) =>
    value === undefined
      ? `${relaxed} 그것만으로는 기간당 ${OBJECTIVES[objective]}이 늘지 않습니다.`
      : `${relaxed} 기간당 ${OBJECTIVES[objective]}이 약 ${value} 늘어납니다.`;
  return {
    explanation: {
      factor: (factor) => FACTORS[factor],
      belief: (actual, baseline) => ` [기준 ${baseline}, 실제 ${actual}]`,
      effect: (_, size, rises) => (rises ? `${size} 인상 요인` : `${size} 인하 요인`),
      driver: (name, belief, effect) => `${name}${belief}: ${effect}`,
      stays: (tier, price) => `${tier} 가격은 ${price}로 유지됩니다`,
      moves: (tier, from, to, change) => `${tier} 가격은 현재 ${from}에서 ${to}(${change})로 바뀝니다`,
      sentence: (text) => `${text}.`,
      heldMove: (move, why) => `${move}. ${why}.`,
      best: (move) => `${move}. 규칙 안에서 가장 좋은 가격입니다.`,
      held: (reason) =>
        `데이터로는 가격에 따른 수요 변화를 알 수 없어 가격을 유지합니다${reason === undefined ? "" : ` (${reason})`}`,
      itemStays: (item, objective, amount) =>
        `${item}: 기간당 ${OBJECTIVES[objective]}은 현재 가격에서와 같은 ${amount}입니다.`,
      itemMoves: ({ item, objective, from, to, change }, drivers) =>
        `${item}: 기간당 ${OBJECTIVES[objective]}이 현재 가격의 ${from}에서 ${to}(${change})로 바뀝니다${drivers}.`,
      share: (amount, factor) => `${factor} ${amount}`,
      all: (count, objective, amount, drivers) =>
        `${items(count)} 분석 결과: 현재 가격 대비 기간당 ${OBJECTIVES[objective]} 변화는 ${amount}입니다${drivers}.`,
      omitted: (count, objective) =>
        `${OBJECTIVES[objective]} 변화가 더 작은 ${items(count)}는 설명을 생략했습니다.`,
      notChanged: (name, why) => `${name} 가격은 바뀌지 않습니다. ${why}.`,
      notChangedAll: (count, named, others) =>
        `가격 ${n.count(count)}개는 데이터로 수요 변화를 알 수 없어 바뀌지 않습니다: ${named.join(", ")}${others ? " 등" : ""}.`,
      convention: (count) =>
        `${items(count)}의 요인 분해에는 관례가 쓰였습니다. 제한하는 규칙이 없어 최적 가격이 정해지지 않는 가상의 경우에는 현재 가격과 제안 가격의 일정 배수에서 멈추는 것으로 봅니다(\`convention\`).`,
      gapBinds: (higher, lower, value, objective) =>
        worth(`${higher}·${lower} 간 최소 간격에 걸려 있습니다. 간격을 1%p 줄이면`, value, objective),
      amountBinds: ({ higher, lower, unit }, value, objective) =>
        worth(`${higher}·${lower} 간 최소 금액 차이에 걸려 있습니다. ${unit} 줄이면`, value, objective),
      limitBinds: (limit, value, objective) =>
        worth(`한도에 걸려 있습니다: ${limit}. 가격의 1%만큼 여유를 주면`, value, objective),
      order: (higher, lower) => `등급 순서(${higher} > ${lower})`,
      limit: (rule) => LIMITS[rule] ?? rule,
    },

    sensitivity: {
      allTie: (draws) => `모의실험 ${n.count(draws)}회 모두에서 권장 가격의 성과는 현재 가격과 같습니다.`,
      score: ({ score, draws, level, low, high, ties }) =>
        `모의실험 ${n.count(draws)}회 중 ${score}에서 권장 가격이 현재 가격보다 낫습니다(${level} 윌슨 신뢰구간 ${low}~${high})${ties === 0 ? "" : `. ${n.count(ties)}회는 같아 어느 쪽으로도 세지 않았습니다`}.`,
      profitBand: (low, high, middle) =>
        `기간당 이익은 열 번 중 아홉 번 ${low}~${high} 범위이며, 중앙값은 ${middle}입니다.`,
      changeBand: (objective, low, high, middle) =>
        `현재 가격 대비 ${OBJECTIVES[objective]} 변화는 열 번 중 아홉 번 ${low}~${high} 범위이며, 중앙값은 ${middle}입니다.`,
      keep: (count) => `${items(count)}는 모든 모의실험에서 현재 가격과 성과가 같으며, 손실은 없습니다.`,
      weakest: (item, score, factor) =>
        `가장 불확실한 품목은 ${item}입니다(모의실험의 ${score}에서 현재 가격보다 나음). ${
          factor === undefined
            ? "현재 가격보다 나은지를 혼자 결정하는 요인은 없습니다"
            : `현재 가격보다 나은지는 무엇보다 ${factor}에 달려 있습니다`
        }.`,
      elasticity: (tier) => `${tier} 탄력성`,
      priceCoefficient: "등급들의 가격 계수",
      cost: "원가",
      demand: "수요 수준",
      unbounded: (count) =>
        `품목별 모의실험 ${n.count(count)}회에서는 가격을 제한하는 규칙이 없어 최댓값이 없습니다. 그 가격과 기회손실은 무한대로 봅니다.`,
      infeasible: (count) =>
        `품목별 모의실험 ${n.count(count)}회에서는 규칙을 지키는 가격이 없어 가격 구간과 기회손실에서 제외했습니다.`,
      detailed: (most, count) =>
        `토네이도와 시나리오는 ${items(count)} 중 가장 불확실한 ${n.count(most)}개만 제공합니다.`,
      assumed: (all) => `요청에 없어 가정한 값: ${all.join("; ")}.`,
      given: (all) => `요청에 주어진 값: ${all.join("; ")}.`,
      elasticityErrors: (error, count) => `표준오차가 없는 탄력성 ${n.count(count)}개의 표준오차 ${error}`,
      costBelief: (belief) => `원가 ${belief}`,
      demandBelief: (belief) => `수요 ${belief}`,
      common: (share) => `원가·수요 충격 분산의 ${share}는 모든 품목에 공통, 탄력성 오차는 서로 독립`,
      uniform: (low, high) => `${low}~${high} 균등분포`,
      normal: (mean, deviation) => `평균 ${mean}, 표준편차 ${deviation}의 정규분포`,
      lognormal: (median, deviation) => `중앙값 ${median}, 로그 표준편차 ${deviation}의 로그정규분포`,
    },
  };
}
