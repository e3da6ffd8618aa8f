import type { constraintsInEnglish } from "./en-constraints.ts";
import type { Numbers } from "./numbers.ts";

const SLOTS: Readonly<Record<string, string>> = {
  items: "품목",
  tiers: "등급",
  region: "지역",
  segment: "세그먼트",
  max_change_pct: "최대 변동폭",
  min_margin: "최소 마진",
  min_price: "최저 가격",
  max_price: "최고 가격",
  price_move: "가격 변경",
  cost_move: "원가 변경",
  only_violating: "규칙을 위반한 품목만",
  top: "목록 길이",
  objective: "목표",
  period: "기간",
  rounding: "가격 단위",
  gap: "최소 간격",
};

/** Constraints as summaries name them. */
export function constraintsInKorean(n: Numbers): ReturnType<typeof constraintsInEnglish> {
  return {
    slot: (slot) => (Object.hasOwn(SLOTS, slot) ? SLOTS[slot] : undefined),
    said: {
      only: (name, values) => `${name}: ${values}만`,
      except: (name, values) => `${name}: ${values} 제외`,
      freeze: (name, values) => `${name}: ${values} 현재 가격 유지`,
      set: (name, value) => (value === "" ? name : `${name} ${value}`),
    },
    inScope: (said, scope) => `${said} (대상: ${scope})`,
    others: (count) => `외 ${n.count(count)}개`,
    values: { profit: "이익", revenue: "매출" },
    about: (said, count) => `${said} (품목 ${n.count(count)}개)`,
    binds: (said, bound, limited) =>
      `${said} (가격 ${n.count(limited)}개 중 ${n.count(bound)}개가 이 한도에 걸림)`,
    applied: (all) => `적용한 조건: ${all.join("; ")}.`,
    notApplied: (all) => `적용할 수 없어 반영하지 못한 조건: ${all.join("; ")}.`,
  };
}
