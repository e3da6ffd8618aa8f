import type { SlotDeclaration, SlotKind } from "../../../services/understanding/src/index.ts";
import type { Catalogue } from "./catalogues.ts";

/** A kind of work that messages are about, made up: what is set in it, and the slots that constrain that. */
export type Domain = {
  kinds: readonly Catalogue["kind"][];
  /** What is decided: prices, rates. Singular and plural. */
  subject: readonly [singular: string, plural: string];
  subjectKo: string;
  slots: readonly SlotDeclaration[];
  /** What people constrain and nothing supports. */
  unsupported: readonly string[];
  unsupportedKo: readonly string[];
};

type Parts = Partial<Omit<SlotDeclaration, "name" | "kind" | "nouns" | "from" | "values">> & {
  from?: string;
  values?: Readonly<Record<string, string>>;
};

const words = (text: string): string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);

function slot(name: string, kind: SlotKind, nouns: string, parts: Parts = {}): SlotDeclaration {
  const { from, values = {}, ...others } = parts;
  return {
    name,
    kind,
    from: from === undefined ? [] : [from],
    keys: false,
    id: "id",
    names: ["name"],
    nouns: words(nouns),
    cues: [],
    values: Object.fromEntries(Object.entries(values).map(([value, synonyms]) => [value, words(synonyms)])),
    ordinary: [],
    phrases: {},
    implicit: false,
    suggest: [],
    label: { en: name, ko: name },
    appliesTo: [],
    fromResults: false,
    ...others,
  };
}

const entity = (nouns: string) => slot("things", "entity", nouns, { from: "things" });
const enumOf = (
  name: string,
  nouns: string,
  values: Readonly<Record<string, string>>,
  ordinary = "",
): SlotDeclaration =>
  slot(name, "enum", nouns, { from: `things.${name}`, values, ordinary: words(ordinary) });
const most = (name: string, kind: SlotKind, nouns: string, implicit = false) =>
  slot(name, kind, nouns, { reads: "most", implicit });
const least = (name: string, kind: SlotKind, nouns: string, phrases: Readonly<Record<string, number>> = {}) =>
  slot(name, kind, nouns, { reads: "least", phrases });
const change = (name: string, nouns: string, implicit = false) =>
  slot(name, "percent", nouns, { reads: "change", implicit });
const choice = (nouns: string, values: Readonly<Record<string, string>>) =>
  slot("goal", "choice", nouns, {
    values,
    cues: words(
      "maximise, maximize, maximising, optimise, optimize, optimising, aim for, go for, focus on, boost, prioritise, push, best for, improve, 최대화, 극대화, 최적화, 기준으로, 위주, 우선, 중심",
    ),
  });
const flag = (name: string, cues: string, off = "") =>
  slot(name, "flag", "", { cues: words(cues), ...(off ? { values: { false: off } } : {}) });
const top = (nouns: string) => slot("best", "count", nouns, { cues: ["top", "상위"] });

const REGIONS = {
  EMEA: "europe, european, 유럽",
  APAC: "asia pacific, asia-pacific, asia, 아시아, 아태",
  NA: "north america, northam, 북미",
  LATAM: "latin america, south america, 남미, 중남미",
  DACH: "german-speaking market",
  US: "united states, usa, 미국",
};
const CLASSES = {
  premium: "high-end, luxury, top-end, 프리미엄, 고급",
  standard: "mid-range, mainstream, 표준, 일반",
  budget: "entry-level, low-end, economy, 저가, 보급형",
};

export const DOMAINS: readonly Domain[] = [
  {
    kinds: ["goods"],
    subject: ["price", "prices"],
    subjectKo: "가격",
    slots: [
      entity("item, product, part, article, catalogue, line, 품목, 제품, 상품"),
      slot("states", "enum", "tier, grade, condition, 등급", {
        from: "things.states",
        keys: true,
        values: {
          new: "brand new, factory new, 신품, 새 제품",
          exchange: "swap, reman, refurbished, 교환, 교환품",
          repair: "repaired, repairs, 수리, 수리품",
          used: "second hand, second-hand, pre-owned, 중고, 중고품",
        },
        ordinary: ["new", "exchange", "repair", "repaired", "repairs", "swap", "used", "교환", "수리"],
      }),
      enumOf("region", "region, market, territory, area, 지역, 시장", REGIONS, "na"),
      enumOf(
        "segment",
        "segment, class, category, 세그먼트, 고객군",
        CLASSES,
        "premium, standard, budget, economy, luxury, mainstream",
      ),
      most(
        "limit",
        "percent",
        "change, price change, movement, adjustment, deviation, swing, 변동, 변동폭, 변경, 변화",
        true,
      ),
      change("move", "price, pricing, list price, tariff, 가격, 판매가, 단가", true),
      change(
        "cost",
        "cost, unit cost, input cost, production cost, purchase price, raw material, material, procurement, sourcing, 원가, 비용, 재료비, 매입가",
      ),
      least("margin", "percent", "margin, gross margin, profit margin, profitability, 마진, 마진율, 이익률", {
        "below cost": 0,
        "under cost": 0,
        "at a loss": 0,
        "above cost": 0,
        "원가 이하로": 0,
      }),
      least(
        "floor",
        "money",
        "floor, floor price, price floor, minimum price, lowest price, lower limit, 최저가, 최저 가격, 하한가",
      ),
      most(
        "ceiling",
        "money",
        "ceiling, ceiling price, price ceiling, price cap, maximum price, highest price, 최고가, 최고 가격, 상한가",
      ),
      choice("objective, goal, target, aim, priority, 목표, 목적", {
        profit: "earnings, profits, contribution, bottom line, gross profit, ebit, income, 이익, 수익, 이윤",
        revenue: "turnover, sales, top line, takings, 매출, 매출액",
      }),
      flag(
        "breaking",
        "violating, violate, violates, violation, violations, in violation, violators, offenders, offending, non-compliant, breaching, in breach, breach, break rules, break the rules, breaks the rules, breaking the rules, breaking, break, out of policy, outside the policy, failing, that fail, against the rules, 위반, 위반한, 위반하는, 어긴",
        "compliant, comply, conform, 준수하는",
      ),
      top("upside, potential, opportunity, gain, improvement, uplift, lever, winner, 기회, 개선"),
    ],
    unsupported: words(
      "volume, unit, unit sales, quantity, demand, market share, competitor, rival, weekend, budget, stock, inventory, customer, dealer, channel, promotion, lead time, delivery, capacity, supplier, tax, freight, markup, rounding, full euros, round numbers, month, week",
    ),
    unsupportedKo: words("판매량, 물량, 수요, 경쟁사, 주말, 예산, 재고, 고객, 점유율, 채널"),
  },
  {
    kinds: ["rooms"],
    subject: ["rate", "rates"],
    subjectKo: "요금",
    slots: [
      entity("room, unit, property, accommodation, inventory, 객실, 숙소"),
      enumOf(
        "season",
        "season, period, 시즌, 기간",
        { high: "peak, 성수기", low: "off-peak, 비수기", shoulder: "mid-season, 간절기" },
        "high, low, peak, shoulder",
      ),
      enumOf("city", "city, town, destination, location, 도시", {
        Lisbon: "lisboa, 리스본",
        Porto: "oporto, 포르투",
        Vienna: "wien, 빈",
        Busan: "부산",
        Bergen: "",
      }),
      most(
        "limit",
        "percent",
        "change, rate change, movement, adjustment, deviation, 변동, 변동폭, 변화",
        true,
      ),
      change("move", "rate, room rate, nightly rate, tariff, 요금, 객실료", true),
      change("demand", "demand, bookings, booking volume, 수요, 예약"),
      least("occupancy", "percent", "occupancy, occupancy rate, load, 점유율, 가동률"),
      least("lowest", "money", "floor, floor rate, minimum rate, lowest rate, 최저 요금, 하한"),
      most(
        "highest",
        "money",
        "ceiling, ceiling rate, maximum rate, highest rate, rack rate, 최고 요금, 상한",
      ),
      choice("goal, aim, objective, priority, 목표", {
        occupancy: "full house, bookings, heads in beds, 점유",
        revpar: "yield, room revenue, 객실 수익, 수익",
      }),
      flag("empty", "empty, vacant, unsold, unbooked, idle, 빈, 비어 있는", "booked, sold out, taken"),
      top("upside, gap, potential, performer, mover, 기회"),
    ],
    unsupported: words(
      "breakfast, guest, cancellation, length of stay, check-in, commission, review score, competitor, parking, pet, child, loyalty, weekday, holiday",
    ),
    unsupportedKo: words("조식, 손님, 취소, 경쟁사, 수수료, 주차"),
  },
  {
    kinds: ["services"],
    subject: ["budget", "budgets"],
    subjectKo: "예산",
    slots: [
      entity("service, workload, resource, system, 서비스, 자원"),
      enumOf(
        "environment",
        "environment, env, stage, 환경",
        {
          production: "prod, live, 운영",
          staging: "stage, preprod, 스테이징",
          development: "dev, sandbox, 개발",
        },
        "live, stage",
      ),
      enumOf("provider", "provider, cloud, vendor, 공급자, 클라우드", {
        Nimbus: "nimbus cloud",
        Stratus: "",
        Cirrus: "",
      }),
      enumOf(
        "team",
        "team, owner, squad, 팀",
        { platform: "infra", checkout: "", search: "discovery", mobile: "apps, 모바일" },
        "platform, search, mobile",
      ),
      most("limit", "percent", "change, budget change, shift, adjustment, deviation, 변동, 변화", true),
      change("move", "budget, allocation, 예산, 배정액", true),
      change("spend", "spend, spending, cost, bill, usage, consumption, 지출, 사용량, 비용"),
      least("utilisation", "percent", "utilisation, utilization, usage rate, efficiency, 사용률, 활용률"),
      most("cap", "money", "cap, spending cap, cost cap, ceiling, upper limit, 지출 한도, 상한"),
      least("reserve", "money", "reserve, buffer, commitment, minimum commitment, 예비비"),
      choice("goal, objective, priority, focus, 목표", {
        savings: "cost, cheapest, lowest cost, saving, 절감, 비용 절감",
        performance: "speed, latency, fastest, throughput, 성능, 속도",
      }),
      flag(
        "wasteful",
        "idle, unused, orphaned, overprovisioned, wasted, waste, untagged, 유휴, 낭비되는",
        "busy, used, active",
      ),
      top("saving, spender, waste, anomaly, driver, 절감"),
    ],
    unsupported: words(
      "carbon, headcount, licence, contract, invoice, incident, uptime, latency, region, backup, security, storage class, seats, exchange rate",
    ),
    unsupportedKo: words("탄소, 인원, 계약, 장애, 보안, 환율"),
  },
  {
    kinds: ["lanes"],
    subject: ["tariff", "tariffs"],
    subjectKo: "운임",
    slots: [
      entity("lane, route, connection, leg, 노선, 구간"),
      enumOf(
        "mode",
        "mode, transport mode, 운송 수단",
        {
          air: "air freight, by air, 항공",
          sea: "ocean, sea freight, by sea, 해상",
          road: "truck, trucking, by road, 육상",
          rail: "train, by rail, 철도",
        },
        "air, sea, road, rail, train",
      ),
      enumOf("region", "region, corridor, zone, 지역, 권역", REGIONS, "na, us"),
      most("limit", "percent", "change, tariff change, movement, step, deviation, 변동, 조정", true),
      change("move", "tariff, freight rate, charge, 운임, 요율", true),
      change("fuel", "fuel, fuel cost, diesel, bunker price, toll, 연료비, 유가"),
      least("load", "percent", "load factor, fill rate, filling, 적재율"),
      most("weight", "number", "weight, load weight, tonnage, 중량, 무게"),
      least("lowest", "money", "minimum charge, floor, floor tariff, 최저 운임"),
      most("surcharge", "money", "surcharge, extra charge, ceiling, 할증료, 최고 운임"),
      choice("aim, goal, objective, priority, 목표", {
        punctuality: "on time delivery, reliability, 정시성",
        contribution: "profit, yield, earnings, 이익, 수익",
      }),
      flag("late", "late, delayed, overdue, behind schedule, 지연된, 늦은", "on time, punctual"),
      top("delay, loss maker, potential, opportunity, 기회"),
    ],
    unsupported: words(
      "carrier, customs, driver, container, pallet, insurance, emission, transit time, shipper, holiday, weekend, contract, penalty",
    ),
    unsupportedKo: words("세관, 기사, 컨테이너, 보험, 배출량, 주말"),
  },
  {
    kinds: ["plans"],
    subject: ["fee", "fees"],
    subjectKo: "수수료",
    slots: [
      entity("plan, contract, offer, product, 상품, 요금제"),
      enumOf(
        "group",
        "group, customer group, audience, 고객군",
        {
          retail: "consumers, private, 개인",
          business: "corporate, companies, b2b, 기업",
          public: "authorities, government, 공공",
        },
        "retail, business, public, private",
      ),
      enumOf("country", "country, market, 국가, 시장", {
        Norway: "norwegian, 노르웨이",
        Chile: "chilean, 칠레",
        Kenya: "kenyan, 케냐",
        Austria: "austrian, 오스트리아",
      }),
      most("limit", "percent", "change, fee change, step, adjustment, movement, 변동, 조정폭", true),
      change("move", "fee, premium, charge, monthly fee, 수수료, 요금", true),
      change("claims", "claim, claims, claims cost, default, churn, 청구액, 손해액"),
      most("ratio", "percent", "loss ratio, default rate, churn rate, risk, 손해율, 연체율, 이탈률"),
      least("coverage", "percent", "coverage, retention, solvency, return, yield, 유지율, 수익률"),
      least("lowest", "money", "floor, minimum fee, lowest fee, entry fee, 최저 수수료"),
      most("highest", "money", "ceiling, cap, maximum fee, highest fee, 최고 수수료, 상한"),
      choice("goal, objective, aim, priority, 목표", {
        growth: "new customers, market growth, 성장",
        profit: "earnings, income, result, 이익, 수익",
      }),
      flag(
        "unprofitable",
        "unprofitable, loss-making, losing money, in the red, underwater, 적자인, 손실 나는",
        "profitable, in the black",
      ),
      top("potential, opportunity, risk, mover, winner, 기회"),
    ],
    unsupported: words(
      "agent, broker, deductible, waiting period, age, complaint, cancellation, paperwork, competitor, regulator, campaign, call centre, notice period",
    ),
    unsupportedKo: words("설계사, 민원, 해지, 경쟁사, 캠페인, 나이"),
  },
  {
    kinds: ["goods"],
    subject: ["reorder level", "reorder levels"],
    subjectKo: "재고 수준",
    slots: [
      entity("item, sku, article, material, 품목, 자재"),
      enumOf("warehouse", "warehouse, depot, site, hub, 창고, 물류센터", {
        Ghent: "",
        Malmo: "malmö",
        Turin: "torino, 토리노",
        Suwon: "수원",
      }),
      enumOf(
        "velocity",
        "class, category, group, 분류",
        {
          fast: "fast movers, fast-moving, a-parts, 고회전",
          slow: "slow movers, slow-moving, 저회전",
          critical: "vital, 필수",
        },
        "fast, slow, critical",
      ),
      most("limit", "percent", "change, correction, adjustment, shift, deviation, 변동, 조정", true),
      change("move", "level, stock level, reorder level, order quantity, 재고, 발주량", true),
      change("usage", "demand, consumption, usage, offtake, 수요, 사용량"),
      least("service", "percent", "service level, availability, fill rate, 서비스율, 가용률"),
      least("pieces", "number", "minimum stock, safety stock, minimum quantity, 안전 재고, 최소 재고"),
      most("capital", "money", "capital, tied-up capital, stock value, inventory value, 재고 금액"),
      choice("goal, objective, target, priority, 목표", {
        availability: "service, no stockouts, 가용성",
        cash: "liquidity, working capital, 현금, 유동성",
      }),
      flag(
        "short",
        "short, out of stock, missing, understocked, critical shortage, 부족한, 품절인",
        "well stocked, covered",
      ),
      top("shortage, saving, overstock, outlier, 절감"),
    ],
    unsupported: words(
      "supplier, lead time, batch size, shelf life, colour, forklift, shift, pallet space, obsolete, quality, warranty, customs, overtime",
    ),
    unsupportedKo: words("공급사, 납기, 유통기한, 교대, 품질, 보증"),
  },
  {
    kinds: ["services", "plans"],
    subject: ["bid", "bids"],
    subjectKo: "입찰가",
    slots: [
      entity("campaign, ad group, ad, keyword, 캠페인, 광고"),
      enumOf(
        "channel",
        "channel, medium, placement, 채널, 매체",
        {
          search: "search ads, 검색",
          social: "social media, 소셜",
          video: "clips, 동영상",
          display: "banners, 배너",
        },
        "search, social, video, display",
      ),
      enumOf("audience", "audience, target group, segment, 타깃", {
        newcomers: "new customers, prospects, 신규",
        regulars: "returning customers, 단골",
        lapsed: "dormant, 휴면",
      }),
      most("limit", "percent", "change, bid change, step, movement, adjustment, 변동, 조정", true),
      change("move", "bid, bids, offer, 입찰가", true),
      change("clicks", "click price, cost per click, cpc, traffic, 클릭 단가, 유입"),
      least("return", "percent", "return, return on ad spend, roas, conversion rate, 전환율, 수익률"),
      most("spend", "money", "spend, daily spend, daily budget, ad budget, 일예산, 지출"),
      least("lowest", "money", "minimum bid, floor, bid floor, 최소 입찰가"),
      choice("goal, objective, aim, 목표", {
        conversions: "orders, sales, leads, 전환",
        reach: "impressions, visibility, awareness, 도달",
      }),
      flag("paused", "paused, stopped, inactive, not running, 중지된, 멈춘", "running, active"),
      top("performer, potential, loser, opportunity, 기회"),
    ],
    unsupported: words(
      "creative, headline, language, agency, frequency, device, age, weather, brand safety, landing page, weekend, competitor, quality score",
    ),
    unsupportedKo: words("소재, 문구, 대행사, 기기, 날씨, 경쟁사"),
  },
  {
    kinds: ["rooms", "lanes"],
    subject: ["staffing", "rosters"],
    subjectKo: "근무표",
    slots: [
      entity("site, place, station, location, 장소, 근무지"),
      enumOf(
        "shift",
        "shift, turn, 근무조",
        { early: "morning, 오전", late: "evening, 오후", night: "nights, 야간" },
        "early, late, night, morning, evening",
      ),
      enumOf("skill", "skill, role, qualification, 직무", {
        nurses: "nursing, 간호",
        cleaners: "housekeeping, 청소",
        drivers: "driving, 기사",
      }),
      most("limit", "percent", "change, roster change, shift change, deviation, 변동, 변경", true),
      change("move", "staffing, headcount, hours, working hours, 인력, 근무 시간", true),
      change("workload", "workload, visitors, footfall, orders, 업무량, 방문자"),
      least("coverage", "percent", "coverage, cover, presence, 충원율"),
      least("people", "number", "minimum staff, minimum crew, crew, people on duty, 최소 인원"),
      most("overtime", "number", "overtime, overtime hours, extra hours, 초과 근무"),
      most("wages", "money", "wage bill, payroll, wages, labour cost, 인건비"),
      choice("goal, objective, aim, 목표", {
        fairness: "fair shifts, balance, 공정성",
        coverage: "full cover, presence, 충원",
      }),
      flag(
        "understaffed",
        "understaffed, short-staffed, uncovered, short of people, 인력이 부족한",
        "fully staffed, covered",
      ),
      top("gap, bottleneck, potential, 기회"),
    ],
    unsupported: words(
      "holiday, training, union, parking, commute, preference, sick leave, uniform, canteen, weekend, contract, age",
    ),
    unsupportedKo: words("휴가, 교육, 노조, 출퇴근, 주말, 계약"),
  },
  {
    kinds: ["plans"],
    subject: ["interest rate", "interest rates"],
    subjectKo: "금리",
    slots: [
      entity("product, loan, credit, account, 상품, 대출"),
      enumOf(
        "rating",
        "rating, risk class, grade, 등급",
        { prime: "top-rated, 우량", subprime: "weak, 비우량", unrated: "no rating, 무등급" },
        "prime, weak",
      ),
      enumOf("branch", "branch, office, 지점", { Graz: "", Cork: "", Leeds: "", Daegu: "대구" }),
      most("limit", "percent", "change, rate change, step, move, 변동, 변동폭", true),
      change("move", "interest, interest rate, rate, coupon, 금리, 이자율", true),
      change("funding", "funding, funding cost, refinancing, deposits, 조달 비용, 조달 금리"),
      most("ltv", "percent", "loan-to-value, ltv, leverage, exposure, 담보 비율"),
      least("spread", "percent", "spread, margin, net interest margin, 스프레드, 마진"),
      most("amount", "money", "amount, loan amount, credit line, volume per customer, 대출 한도, 한도액"),
      least("deposit", "money", "deposit, minimum deposit, down payment, equity, 최소 예치금"),
      choice("goal, objective, priority, 목표", {
        volume: "new business, lending, 신규 취급액",
        earnings: "profit, income, result, 이익, 수익",
      }),
      flag(
        "defaulted",
        "defaulted, in arrears, overdue, in default, past due, 연체된, 부실",
        "performing, healthy",
      ),
      top("risk, exposure, potential, 위험"),
    ],
    unsupported: words(
      "maturity, collateral, guarantor, regulator, advisor, fixed term, instalment, notary, competitor, inflation, rating agency, liquidity ratio",
    ),
    unsupportedKo: words("만기, 담보, 보증인, 규제, 경쟁사, 물가"),
  },
];
