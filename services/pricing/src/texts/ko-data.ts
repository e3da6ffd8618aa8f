import type { FindingCode } from "../data/findings.ts";

/** What the data gate found, in Korean. */
export const FOUND_IN_KOREAN: Readonly<Record<FindingCode, string>> = {
  mixed_currency: "여러 통화의 가격이 섞여 있어 현재 가격을 유지합니다",
  mixed_units: "여러 단위의 수량이 섞여 있어 현재 가격을 유지합니다",
  price_levels_apart: "단위나 통화가 섞인 것처럼 가격 수준이 둘로 크게 나뉘어 현재 가격을 유지합니다",
  odd_price: "오타로 보이는 가격을 제외했습니다",
  odd_quantity: "오타로 보이는 수량을 제외했습니다",
  duplicate_rows: "중복된 행을 한 번씩만 사용했습니다",
  zeros_excluded: "휴무일로 보이는 판매 0인 행을 제외했습니다",
  suspicious_zeros: "우연으로 설명되지 않는 판매 0인 행이 있습니다",
  sold_out: "품절되어 수요가 판매량보다 컸던 행이 있습니다",
  sold_out_not_modelled: "품절된 행이 있지만 추정에 반영할 수 없습니다",
  capped_sales: "재고가 소진된 것처럼 최대 수량이 같은 행이 많습니다",
  stockpiling: "낮은 가격 뒤에 판매가 줄어 사재기가 의심됩니다",
  promotions_excluded: "사재기가 있어 행사와 그 뒤 두 기간을 제외했습니다",
  level_break: "가격과 판매 수준이 함께 바뀌어 그 영향을 탄력성에서 제거했습니다",
  price_trend: "인플레이션처럼 가격이 꾸준히 변해 추세를 탄력성에서 제거했습니다",
  prices_follow_demand: "가격이 직전 기간의 판매를 따라 움직임: 탄력성을 믿기 어려움",
  prices_follow_said: "말씀하신 대로 가격이 수요나 경쟁 가격을 따라 움직임: 탄력성을 믿기 어려움",
  few_price_changes: "가격이 거의 바뀌지 않았습니다",
  time_not_read: "시간 열의 형식을 알 수 없습니다",
  time_ambiguous: "날짜의 일과 월 순서가 분명하지 않습니다",
  time_guessed: "시간 열을 추정했습니다",
  place_guessed: "장소 열을 추정했습니다",
};
