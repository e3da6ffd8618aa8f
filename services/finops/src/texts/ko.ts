import type { Words } from "./words.ts";

const DIMENSIONS: Readonly<Record<string, string>> = {
  provider: "제공자",
  service: "서비스",
  category: "분류",
  region: "리전",
  account: "계정",
  resource: "리소스",
  resource_type: "리소스 유형",
  sku: "SKU",
  charge: "요금 종류",
  pricing: "요금제",
  commitment: "약정",
  currency: "통화",
  day: "일",
  week: "주",
  month: "월",
  quarter: "분기",
};

const PERIODS: Readonly<Record<string, string>> = {
  today: "오늘",
  yesterday: "어제",
  this_week: "이번 주",
  last_week: "지난주",
  this_month: "이번 달",
  mtd: "이번 달",
  last_month: "지난달",
  this_quarter: "이번 분기",
  qtd: "이번 분기",
  last_quarter: "지난 분기",
  this_year: "올해",
  ytd: "올해",
  last_year: "작년",
  tomorrow: "내일",
  next_week: "다음 주",
  next_month: "다음 달",
  next_quarter: "다음 분기",
  next_year: "내년",
  all: "전체",
  previous: "이전 기간",
  year_ago: "1년 전",
};

const dimension = (name: string): string =>
  name.startsWith("tag:") ? `${name.slice(4)} 태그` : (DIMENSIONS[name] ?? name);

const days = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  from === to ? from : `${from} ~ ${to}`;

export const ko: Words = {
  metric: {
    effective: "실질 비용",
    billed: "청구 비용",
    list: "정가 비용",
    contracted: "계약 비용",
    usage: "사용량",
    unit_cost: "단위 비용",
    credits: "크레딧",
    refunds: "환불",
  },
  dimension,
  days,
  period: ({ name, from, to, relative_to, to_date, begins_late }) => {
    const when = days({ from, to });
    const notes = [
      ...(relative_to === undefined ? [] : [`${PERIODS[name] ?? name}, 데이터는 ${relative_to}까지`]),
      ...(to_date && relative_to === undefined ? ["데이터가 여기까지 있음"] : []),
      ...(begins_late ? ["데이터가 여기서 시작됨"] : []),
    ];
    return notes.length === 0 ? when : `${when} (${notes.join("; ")})`;
  },
  total: (what, when, amount, charges) => `${when} ${what}: ${amount} (청구 ${charges}건).`,
  nothing: (what, when) => `${when} ${what}: 해당하는 청구가 없습니다.`,
  paidBack: (gross, credits, refunds) => `총액 ${gross}, 크레딧 ${credits}, 환불 ${refunds}.`,
  compared: (change, share, when, before) =>
    `${when}의 ${before} 대비 ${change}${share === undefined ? "" : ` (${share})`}입니다.`,
  by: (dimensions) => `${dimensions}별:`,
  other: (groups) => `기타 (${groups}개)`,
  without: (name) => `(${name} 없음)`,
  filter: (parts) => `조건: ${parts}.`,
  except: (values) => `${values} 제외`,
  restricted: "권한에 따라 일부 청구만 보입니다.",
  missing: (rows) => `청구 ${rows}건은 이 비용이 없어 제외했습니다.`,
  moreParts: (count) => `단위 ${count}개는 표시하지 않았습니다.`,
  moreLines: (count) => `… 외 ${count}개는 표에 있습니다.`,
  warnings: (count, first) => `데이터에 경고가 ${count}개 있습니다. 첫 번째: ${first}.`,
  notApplied: (slots) => `적용하지 않은 조건: ${slots}.`,
  sample: "샘플 청구 데이터이며, 실제 데이터가 아닙니다.",
  anomaly: {
    heading: (count, when, groups) => `${when}에 이상 ${count}건 (일별 실질 사용 비용 ${groups}개 계열):`,
    none: (when, groups) => `${when}에는 이상이 없습니다 (일별 실질 사용 비용 ${groups}개 계열).`,
    line: ({ who, kind, from, to, lasting, impact, actual, expected }) =>
      `${who}: ${from === to ? from : `${from} ~ ${to}`} ${kind}${lasting ? " (지속)" : ""}: ${impact} (예상 ${expected}, 실제 ${actual}).`,
    why: (driver, change, contributors) => `원인: 주로 ${driver} (하루 ${change}); ${contributors}.`,
    more: (count) => `영향이 더 작은 이상 ${count}건이 더 있습니다.`,
    kinds: { spike: "급증", dip: "급감", ramp: "지속 증가", step: "수준 상승", fall: "수준 하락" },
    drivers: { quantity: "사용량", mix: "구성", price: "가격", other: "사용량이 없는 요금" },
  },
  inventory: {
    heading: (resources, cost, when) => `${when}에 요금이 발생한 리소스 ${resources}개, 실질 비용 ${cost}.`,
    type: (name, resources, cost) => `${name}: ${resources}개, ${cost}`,
    untagged: (resources, cost, share) => `태그가 없는 리소스: ${resources}개, ${cost} (${share}).`,
    byKey: (shares) => `키별로 태그가 없는 비용: ${shares}.`,
    idle: (resources, cost, examples) =>
      `사용 데이터로 본 유휴 리소스: ${resources}개, ${cost}: ${examples}.`,
    noneIdle: "사용 데이터로 보면 유휴 리소스가 없습니다.",
    unmeasured: (resources, cost) =>
      `사용 데이터가 없어 유휴 여부를 알 수 없는 리소스: ${resources}개, ${cost}.`,
    bare: (rows, cost) => `리소스가 없는 청구 ${rows}건: ${cost}.`,
  },
  forecast: {
    total: ({ when, expected, p80, p95 }) =>
      `${when} 실질 비용 예측: ${expected} (80 %: ${p80}; 95 %: ${p95}).`,
    range: (low, high) => `${low} ~ ${high}`,
    soFar: (actual, last) => `그중 ${last}까지 ${actual} 지출했습니다.`,
    budget: ({ budget, chance, over, isOver }) =>
      `예산 ${budget}: ${chance === undefined ? "확률을 말하기에는 검증한 기간이 부족합니다" : `초과할 확률은 ${chance}입니다`}. 예측은 예산보다 ${over} ${isOver ? "많습니다" : "적습니다"}.`,
    oneSided: (tooLow) =>
      `이만큼 앞선 과거 예측은 대체로 실제보다 ${tooLow ? "낮았고" : "높았고"}, 확률에는 이를 반영했습니다.`,
    months: "월별:",
    line: (period, expected, p80) => `${period}: ${expected} (80 %: ${p80})`,
    apart: "종류별 예측과 오차가 가장 작은 방법:",
    component: (name, cost, method, error) => `${name}: ${cost}, ${method}${error}`,
    compared: (name, methods) => `${name} 비교, 오차(MASE) 순: ${methods}.`,
    components: { usage: "사용량", commitments: "약정", fees: "수수료와 세금", credits: "크레딧" },
    tested: (origins, days, rows, from, to) =>
      `${from} ~ ${to} 청구 ${rows}건 기준, 시작일 ${origins}개에서 ${days}일 앞까지 검증했습니다.`,
    leftOut: (amount) => `정정 ${amount}은(는) 예측에 넣지 않았습니다.`,
    lastMonth: (amount, period) => `참고로 ${period}에는 ${amount}이었습니다.`,
    warnings: {
      SHORT_HISTORY: "기록이 짧습니다.",
      BEYOND_TESTED_HORIZON: "검증한 기간보다 먼 예측이며, 구간은 외삽입니다.",
      MISSING_PERIODS: "청구가 없는 날은 알 수 없는 것으로 보고 추정했습니다.",
      CHANGES_NOT_APPLIED: "일부 변경은 너무 최근이라 반영하지 못했습니다.",
    },
  },
  alert: {
    proposed: ({ kind, amount, every, span }) =>
      `${kind === "budget" ? "예산" : "알림"} 제안: ${every === undefined ? "" : `${{ day: "매일", week: "매주", month: "매월", quarter: "매 분기" }[every]} `}실질 비용 ${amount}${span === undefined ? "" : ` (${span})`}.`,
    tells: (spent, forecast) =>
      `${[...(spent === "" ? [] : [`지출이 ${spent}`]), ...(forecast === "" ? [] : [`예측이 ${forecast}`])].join(", ")}에 이르면 알립니다.`,
    nobodySaid: "금액을 말하지 않아 예측 80 % 구간의 상한을 올림했습니다.",
    chance: ({ when, expected, range, chance }) =>
      `${when} 예측은 ${expected}입니다 (80 %: ${range}). ${chance === undefined ? "확률을 말하기에는 검증한 기간이 부족합니다" : `초과할 확률은 ${chance}입니다`}.`,
    past: ({ every, periods, exceeded, most }) =>
      `최근 ${periods}${{ day: "일", week: "주", month: "개월", quarter: "분기" }[every]} 중 ${exceeded}번 초과했으며, 최대는 ${most}입니다.`,
  },
  report: {
    title: (when) => `클라우드 비용, ${when}`,
    summary: "요약",
    trend: "월별",
    services: "서비스별",
    accounts: "계정별",
    anomalies: "이상",
    resources: "리소스와 태그",
    contents: (sections) => `구성: ${sections}.`,
  },
};
