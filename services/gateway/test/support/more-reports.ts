/**
 * Reports that were written before the check was read, of kinds that it had not been made with: cost statements, Korean amounts, items with
 * digits in their names, dates, periods, ratios. `given` is a template's text; of the others, each says one thing of it.
 */
export type ReportedOn = { name: string; given: string; true: readonly string[]; forged: readonly string[] };

const PRICES: ReportedOn = {
  name: "a proposal",
  given: `Proposed prices for Q3 2026
- HUB-H1, new: 120.00 → 126.40 USD (+5.33%)
- HUB-H1, repair: 84.00 → 79.95 USD (−4.82%)
- FORK-F2, new: 310.00 → 301.15 USD (−2.85%)
- FORK-F2, repair: 318.00 → 318.00 USD (+0%)
- DERAILLEUR-D3, new: 95.00 → 99.75 USD (+5%)

Profit 1,284,650 → 1,352,310 USD, revenue 4,902,775 → 4,871,020 USD. Margin 26.2% → 27.76%, 1.56 percentage points more.
2 of 5 prices break a rule: the minimum gap of 12 USD between new and repair. 1,000 draws; better in 93.4% of them.
Valid from 2026-07-01 to 2026-09-30.`,
  true: [
    "HUB-H1 (new) moves from $120 to $126.40, up 5.33 percent.",
    "Profit rises to about USD 1.35 million.",
    "Revenue slips: 4.90M → 4.87M USD.",
    "Der Preis von DERAILLEUR-D3 steigt von 95,00 auf 99,75 USD.",
    "The margin improves from 26.2 % to 27.8 %, which is 1.56 percentage points.",
    "Two of the five prices break a rule.",
    "What they break is the minimum gap of twelve dollars.",
    "The prices hold from 1 July 2026 until 30 September 2026.",
    "The repair price of HUB-H1 falls by 4.82%.",
    "In about 93% of 1000 draws they do better.",
    "FORK-F2, repair, stays at 318 dollars.",
    "Profit: 1 284 650 → 1 352 310 USD.",
    "Profit goes from 1,285k to 1,352k USD.",
    "These are the prices for the third quarter of 2026.",
    "FORK-F2, new, drops by 2.9 percent, to 301 dollars.",
  ],
  forged: [
    "FORK-F2, new, drops by 2.58%.",
    "The margin rises by 1.56 percent.",
    "Profit rises by 67,660 USD.",
    "Profit grows to about 1.36 million USD.",
    "Revenue falls from 4.9M to 4.78M USD.",
    "HUB-H1, repair: +4.82%.",
    "HUB-H2, repair, is now at 79.95 USD.",
    "Three of the prices break a rule.",
    "The prices hold from 1 July to 30 August 2026.",
    "The prices are valid from 07/01/2027.",
    "The new price of DERAILLEUR-D3 is 9,975 USD.",
    "Der Preis von DERAILLEUR-D3 steigt von 95,00 auf 99,57 USD.",
    "The minimum gap between new and repair is 12%.",
    "They do better in nine hundred and forty-three of the thousand draws.",
    "HUB-H1, new, goes from 120 to €126.40.",
  ],
};

const COSTS: ReportedOn = {
  name: "a bill",
  given: `Cloud cost, October 2026 (account 4471-0093, 12 services)
- Amazon EC2: €18,402.17 (41.3% of all, −3.9% against September)
- Amazon RDS: €9,877.60 (22.2%, +14.6%)
- S3: €4,120.05 (9.2%, +0.4%)
- Data transfer: €2,963.48 (6.7%, +61%)

Total €44,557.90, €1,204.35 over the budget of €43,353.55 (+2.8%). Forecast for November: €45.2k, range €43.9k to €46.8k (80% interval).
Largest anomaly: i-0ab39f27, 17 October 14:35 UTC, €612.40 in 3 hours.
7 idle volumes, 1.8 TB, would save €153.90 a month. p95 latency 412 ms.`,
  true: [
    "EC2 cost 18.402,17 €, which is 41,3 % of all.",
    "RDS is at €9.88k, up 14.6%.",
    "The total of 44,557.90 EUR is 2.8% above the budget.",
    "November is forecast at about €45,200 (80% interval: €43,900–€46,800).",
    "The largest anomaly, i-0ab39f27, cost €612.40 within three hours.",
    "Seven idle volumes (1.8 TB) would save about €154 a month.",
    "Data transfer went up by 61 per cent.",
    "S3 barely moved: +0.4 %.",
    "All twelve services of account 4471-0093 are in the total.",
    "You are EUR 1,204 over the budget.",
    "October came to 44.6 thousand euros.",
    "EC2 is 3.9% cheaper than in September.",
    "It happened on October 17th at 14:35 UTC.",
    "The p95 latency was 412 milliseconds.",
    "It began at 2:35 pm UTC.",
  ],
  forged: [
    "EC2 fell by 39% against September.",
    "RDS grew by 14.6 percentage points.",
    "The total is $44,557.90.",
    "November will come to between €43.9k and €48.6k.",
    "EC2 and RDS together cost €28,279.77.",
    "S3 kostete 4.120,50 €.",
    "The instance i-0ab39f72 stands out.",
    "The anomaly was on 16 October.",
    "It was at 15:35 UTC.",
    "It cost €612.40 in three days.",
    "The idle volumes hold 1.8 GB.",
    "Data transfer is up for the fifth month in a row.",
    "The idle volumes would save €1,539.00 a month.",
    "You are almost €1.3k over the budget.",
    "Data transfer rose by sixteen percent.",
  ],
};

const KOREAN: ReportedOn = {
  name: "a proposal in Korean",
  given: `카탈로그 8개 품목, 2026년 3분기 제안
- 펌프-C3 신품: 895,000원 → 824,800원 (−7.84%)
- 밸브-V7 수리: 94,000원 → 86,180원 (−8.32%)
- 센서-S9 교환: 149,000원 → 158,880원 (+6.63%)

이익 954,968,000원 → 964,705,000원, 매출 2,207,794,000원 → 2,239,038,000원.
규칙 위반 3건. 최소 간격 5%. 1,000번 추출 중 80.4%에서 개선. 적용일 2026년 7월 15일, 승인자 2명, 마감 오후 6시.`,
  true: [
    "이익은 9억 5,496만 8천원에서 9억 6,470만 5천원으로 늘어납니다.",
    "규칙 위반은 세 건입니다.",
    "펌프-C3 신품은 89만 5천원에서 82만 4,800원으로 내려갑니다.",
    "매출은 약 22억 4천만원입니다.",
    "밸브-V7 수리 가격은 8.32% 인하됩니다.",
    "새 가격은 7월 15일부터 적용됩니다.",
    "승인자는 두 명입니다.",
    "센서-S9 교환은 6.63퍼센트 올라 158,880원입니다.",
    "품목 여덟 개를 살펴봤습니다.",
    "천 번 추출 중 약 80%에서 더 낫습니다.",
    "최소 간격은 5퍼센트입니다.",
    "마감은 오후 여섯 시입니다.",
    "이익은 약 9.65억원이 됩니다.",
    "2026년 3분기 가격입니다.",
    "밸브-V7 수리는 ₩86,180입니다.",
  ],
  forged: [
    "이익이 9억 6,740만원으로 늘어납니다.",
    "규칙 위반은 네 건입니다.",
    "펌프-C3 신품은 82만 8,400원입니다.",
    "매출은 약 22억 9천만원입니다.",
    "밸브-V7 수리는 +8.32%입니다.",
    "새 가격은 7월 16일부터 적용됩니다.",
    "승인자는 다섯 명입니다.",
    "밸브-V8 수리는 86,180원입니다.",
    "센서-S9 교환은 158,880달러입니다.",
    "이익 증가액은 973만 7천원입니다.",
    "추출의 팔십사 퍼센트에서 더 낫습니다.",
    "최소 간격은 5만원입니다.",
    "2026년 4분기 가격입니다.",
    "천이백 번 추출했습니다.",
    "마감은 오후 7시입니다.",
  ],
};

const STATEMENT: ReportedOn = {
  name: "a statement",
  given: `Statement of 3 May 2026, account DE-88-2041
Opening balance −$312.45. 4 payments in, $2,750.00; 11 payments out, $1,896.20. Closing balance $541.35.
Exchange rate 1 USD = 0.9213 EUR. Fee 0.35%, $6.64. Limit $5,000 a day, used 37.9%.
Losses −12.5% in March, −0.8% in April. Temperature of the store −18 °C to −15 °C. Order 7 of 20, 3/4 delivered.
Score 8.6 out of 10 (n = 1,247). Version 2.4.1, port 8443, ratio 3:1. Growth ×2.5, p < 0.01.`,
  true: [
    "The account was overdrawn by $312.45 at the start.",
    "Four payments of together $2,750 came in, and eleven, of $1,896.20, went out.",
    "You end with USD 541.35.",
    "One dollar is 0.92 euros.",
    "The fee (0.35 %) was $6.64.",
    "About 38% of the daily limit of $5k is used.",
    "It lost 12.5% in March and 0.8% in April.",
    "The store is kept between -18 °C and -15 °C.",
    "Three quarters of the order are delivered.",
    "It is rated 8.6/10 by 1,247 people.",
    "Version 2.4.1 listens on port 8443.",
    "It grew by a factor of 2.5.",
    "The p-value is below 0.01.",
    "This is order seven of twenty.",
    "The statement is of May 3, 2026.",
  ],
  forged: [
    "Opening balance: +$312.45.",
    "Closing balance: −$541.35.",
    "Twelve payments went out.",
    "The fee is 3.5%.",
    "The exchange rate is 0.9123.",
    "A third of the limit is used.",
    "This is version 2.4.2.",
    "It listens on port 8434.",
    "The ratio is 1:3.",
    "The p-value is below 0.001.",
    "It grew by a factor of 25.",
    "Half of the order is delivered.",
    "The score is 8.6 out of 100.",
    "The store is kept at −15 °F.",
    "The limit is $5,000 a month.",
  ],
};

export const REPORTED_ON: readonly ReportedOn[] = [PRICES, COSTS, KOREAN, STATEMENT];
