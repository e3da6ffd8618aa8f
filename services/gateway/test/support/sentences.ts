/**
 * Sentences on the results of pricing-results.ts, in English and Korean. They were written before the check had read any of them. None of
 * FALSE_IN_WORDS has a digit or a number word; each of them is untrue, or cannot be known from the results.
 */
const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

export const FALSE_IN_WORDS = lines(`
  Every rule is kept.
  All prices fall.
  The valve gains most.
  The motor's price stays unchanged.
  Nothing breaks the hierarchy.
  Revenue rises.
  This is safe to publish.
  It was approved.
  The proposal complies with your policy.
  No item violates a rule.
  There is nothing to worry about here.
  You can publish these prices right away.
  The controller drives the gain.
  Profit drops.
  Expected profit falls.
  Expected revenue goes up.
  The new price of VALVE-V7 falls.
  The price of MOTOR-M2, new, rises.
  CONTROLLER-K8 gets cheaper.
  CONTROLLER-K8, new, increases.
  VALVE-V7, exchange, is lower.
  MOTOR-M2, repair, is reduced.
  The prices have been published.
  Your manager signed this off.
  The hierarchy holds for every item.
  The gaps between the tiers are wide enough.
  MOTOR-M2 is fully compliant.
  VALVE-V7 passes the check.
  The ceiling of CONTROLLER-K8 is respected.
  The fix has been applied already.
  No fix is needed.
  Customers will accept these prices.
  Demand hardly reacts to the price.
  The whole gain comes from the controller.
  Most of the profit comes from VALVE-V7.
  The repair tier is responsible for the gain.
  Revenue and profit both grow.
  Both totals improve.
  Profit falls because of the motor.
  The prices were cut across the board.
  Only the valve changes.
  Everything stays as it is.
  None of the prices moves.
  The new tier is cheaper than the repair tier.
  MOTOR-M2, exchange, is above new.
  VALVE-V7 costs more than the motor.
  This is the best you can get.
  The proposal is robust.
  There is no risk in this.
  The results are certain.
  The data are complete.
  The prices are in euros.
  An approval is not required.
  The request has been withdrawn.
  The proposal was rejected.
  The policy agent found no fault.
  The check was skipped.
  The rules do not apply to MOTOR-M2.
  VALVE-V7 was left out.
  MOTOR-M2 was not part of this.
  Prices are held at today's level.
  The current prices are optimal.
  Competitors are more expensive.
  It would be wise to ignore the rules.
  Repairing the violations costs nothing.
  The violations are harmless.
  The violations are gone.
  Half of the prices rise.
  Prices of the repair tier rise throughout.
  Revenue is unchanged.
  Profit stays the same.
  The price is expected to be higher.
  The expected price of VALVE-V7 is new.
  모든 규칙을 지킵니다.
  위반은 없습니다.
  모든 가격이 내립니다.
  밸브의 이익이 가장 큽니다.
  모터 가격은 그대로입니다.
  매출은 증가합니다.
  이익은 감소합니다.
  바로 게시해도 안전합니다.
  이미 승인되었습니다.
  이미 게시되었습니다.
  계층 구조에 문제가 없습니다.
  VALVE-V7 신품 가격은 내립니다.
  MOTOR-M2 신품 가격이 오릅니다.
  CONTROLLER-K8 가격은 인하됩니다.
  VALVE-V7은 검사를 통과했습니다.
  수정할 필요가 없습니다.
  승인은 필요하지 않습니다.
  고객은 이 가격을 받아들일 것입니다.
  이익 증가는 모두 컨트롤러 덕분입니다.
  수리 등급 가격은 모두 오릅니다.
  신품이 수리품보다 쌉니다.
  가격은 유로입니다.
  변경된 가격은 없습니다.
  MOTOR-M2는 규칙을 준수합니다.
  위반은 무시해도 됩니다.
  데이터는 완전합니다.
  더 나은 가격은 없습니다.
  제안은 거절되었습니다.
`);

/** Each has a number, or several, and is untrue of what it names. */
export const FORGED_SENTENCES = lines(`
  The price of VALVE-V7, new, rises to 95.43.
  The price of VALVE-V7, exchange, rises to 126.87.
  VALVE-V7, repair, goes from 95.00 to 95.43.
  VALVE-V7, new, goes from 94.00 to 86.18, down 8.32%.
  MOTOR-M2, exchange, falls to 1,075.17.
  MOTOR-M2, new, falls to 1,032.16.
  MOTOR-M2, new, moves from 1,127.00 to 1,032.16.
  The new price of MOTOR-M2 is 126.87.
  The new price of VALVE-V7 is 1,075.17.
  CONTROLLER-K8, new: 115.00 → 126.87 (+10.3%).
  MOTOR-M2, repair: 1,480.00 → 1,480.00.
  VALVE-V7, repair, falls from 690.00 to 751.05.
  VALVE-V7, new, goes from 126.87 to 115.00.
  VALVE-V7, new: 126.87 → 115.00.
  VALVE-V7, new, falls by 10.3%.
  VALVE-V7, new, falls from 115.00 to 126.87.
  VALVE-V7, repair, rises by 8.32%.
  VALVE-V7, repair: 94.00 → 86.18 (+8.32%).
  MOTOR-M2, new, is up 6.51%.
  MOTOR-M2, repair, drops to 751.05.
  Revenue rises by 0.965%.
  Expected revenue rises to 899,038.
  Profit falls to 287,428.
  Profit goes from 287,428 to 285,184.
  The price of VALVE-V7, new, is €126.87.
  The price of VALVE-V7, new, is $126.87.
  VALVE-V7, new, rises by 10.3 percentage points.
  VALVE-V7, new, rises to 126.87%.
  VALVE-V7, new, rises by 10.3.
  VALVE-V7, new, is 126.87k.
  Profit is 287,428 a month.
  The price of VALVE-V7, new, is 126.87 per kg.
  The profit of VALVE-V7, new, is 126.87.
  The revenue of VALVE-V7, new, goes from 115.00 to 126.87.
  Revenue goes from 285,184 to 287,428.
  Profit goes from 907,794 to 899,038.
  The expected price is 287,428.
  The elasticity of VALVE-V7, new, is 126.87.
  The margin of VALVE-V7, new, is 10.3%.
  VALVE-V7, new, rises to 126.9, then to 128.
  The price of VALVE-V7, new, is 126.8.
  VALVE-V7, new, rises to about 130.
  VALVE-V7, new, rises by 10.4%.
  VALVE-V7, new, rises to 127.87.
  Profit rises to about 288,000.
  Revenue falls to 900 thousand, about 899,083.
  Profit of the new tier goes from 285,184 to 287,428.
  Profit of VALVE-V7 rises from 285,184 to 287,428.
  Expected profit of MOTOR-M2, repair, is 287,428.
  Revenue of the repair tier falls to 899,038.
  The price of VALVE-V7 is 126.87.
  The price of new rises to 126.87.
  All new prices rise by 10.3%.
  The prices of VALVE-V7 rise by 10.3%.
  10.3% of the price of VALVE-V7, new, is 126.87.
  The current price of VALVE-V7, new, is 126.87.
  Today's price of MOTOR-M2, new, is 1,075.17.
  The price of VALVE-V7, new, is not 126.87.
  VALVE-V7, new, is 126.87 as approved.
  VALVE-V7, new, rises to 126.87, which keeps every rule.
  VALVE-V7, new, and MOTOR-M2, new, rise by 10.3%.
  The price of VALVE-V7, new, rises 126.87.
  The price of VALVE-V7, new, changes by 126.87.
  VALVE-V7, new, is the cheapest at 126.87.
  Only 3 rules are broken, all of VALVE-V7.
  2 rules are broken.
  MOTOR-M2 breaks 3 rules.
  The ceiling of CONTROLLER-K8, new, is 3,090.00.
  CONTROLLER-K8, new, rises to 3,090.00.
  CONTROLLER-K8, new, falls from 3,090.00 to 3,000.00.
  VALVE-V7, exchange, goes from 95.00 to 101.50, as proposed.
  The price of VALVE-V7, exchange, is 101.50.
  VALVE-V7 신품 가격은 95.43입니다.
  VALVE-V7 교환 가격은 126.87로 오릅니다.
  MOTOR-M2 신품 가격은 126.87입니다.
  VALVE-V7 신품 가격은 10.3% 내립니다.
  VALVE-V7 신품 가격은 126.87에서 115.00으로 오릅니다.
  VALVE-V7 신품의 이익은 126.87입니다.
  매출은 907,794에서 899,038로 0.965% 증가합니다.
  이익은 907,794에서 899,038로 감소합니다.
  신품 등급의 이익은 285,184에서 287,428로 증가합니다.
  VALVE-V7 신품 가격은 126.87원입니다.
  VALVE-V7 신품 가격은 127.87입니다.
  규칙 2건을 위반합니다.
  VALVE-V7 신품 가격은 126.87이 아닙니다.
  VALVE-V7 신품 가격의 10.3%는 126.87입니다.
`);

/** True, each of one row or two. */
export const TRUE_SENTENCES = lines(`
  The price of VALVE-V7, new, rises from 115.00 to 126.87.
  VALVE-V7, new, rises from 115.00 to 126.87, up 10.3%.
  VALVE-V7, new, goes up by 10.3%, from 115.00 to 126.87.
  VALVE-V7 (new): 115.00 → 126.87 (+10.3%).
  The new price of VALVE-V7 is 126.87 instead of 115.00.
  For VALVE-V7, repair, the proposed price is 86.18.
  VALVE-V7, repair, falls by 8.32% to 86.18.
  The repair price of VALVE-V7 drops from 94.00 to 86.18.
  The price of VALVE-V7, repair, decreases by about 8.3%.
  VALVE-V7's repair price would be 86.18, which is 8.32% lower.
  MOTOR-M2, new, decreases to 1,075.17, a decrease of 6.51%.
  The price of MOTOR-M2, new, moves from 1,150.00 to 1,075.17 (−6.51%).
  MOTOR-M2, new, falls to about 1,075.
  MOTOR-M2, repair, increases from 690 to 751.05.
  The price of MOTOR-M2, repair, climbs by 8.85%.
  The proposed price of MOTOR-M2, exchange, is 1,032.16.
  The price of MOTOR-M2, exchange, declines from 1,127 to 1,032.16.
  CONTROLLER-K8, new, stays at 3,090.00.
  The price of CONTROLLER-K8, repair, is unchanged at 1,480.
  The new price of CONTROLLER-K8 stays at 3,090.
  Profit rises from 285,184 to 287,428.
  Expected profit increases to 287,428 (+0.787%).
  Profit grows by 0.787%, from 285,184 to 287,428.
  Profit goes up from about 285k to about 287k.
  Revenue falls from 907,794 to 899,038.
  Revenue falls by 0.965% to 899,038.
  Expected revenue is 899,038, down 0.965%.
  Profit rises to 287,428 and revenue falls to 899,038.
  Profit rises by 0.787%, while revenue falls by 0.965%.
  The expected profit is 287,428.
  Today's price of VALVE-V7, new, is 115.00.
  The price of VALVE-V7, new, is 115.00 today.
  VALVE-V7, new, would be at 126.87.
  The price of VALVE-V7, new, moves to roughly 127.
  VALVE-V7, new, is 10.3% higher.
  For MOTOR-M2, repair, the price moves from 690.00 to 751.05, an increase of 8.85%.
  MOTOR-M2, new, falls to 1,075.17; MOTOR-M2, repair, rises to 751.05.
  Total expected revenue comes to 899,038.
  We propose to lower MOTOR-M2, exchange, by 8.42%.
  The biggest cut is MOTOR-M2, exchange, at 8.42%.
  The proposal breaks 3 rules.
  VALVE-V7 신품 가격은 115.00에서 126.87로 10.3% 오릅니다.
  VALVE-V7 신품의 가격은 126.87입니다.
  VALVE-V7 신품은 115.00에서 126.87로 인상됩니다.
  VALVE-V7 수리 가격은 8.32% 하락하여 86.18이 됩니다.
  MOTOR-M2 신품 가격은 1,150.00에서 1,075.17로 내립니다.
  MOTOR-M2 수리 가격은 690.00에서 751.05로 8.85% 상승합니다.
  MOTOR-M2 교환 가격은 1,032.16으로 인하됩니다.
  CONTROLLER-K8 신품 가격은 3,090.00으로 유지됩니다.
  이익은 285,184에서 287,428로 증가합니다.
  이익은 0.787% 증가합니다.
  매출은 907,794에서 899,038로 감소합니다.
  매출은 899,038로 0.965% 감소합니다.
  예상 이익은 287,428입니다.
  이익은 287,428로 증가하고 매출은 899,038로 감소합니다.
  규칙 3건을 위반합니다.
`);

/** As the forged ones, written with the check's rules in view: of its own words alone, or by marks that read otherwise than they look. */
export const ATTACKS = lines(`
  The price of VALVE-V7, new, is up to 126.87.
  The price of MOTOR-M2, new, is down to 1,150.00.
  Today the price of VALVE-V7, new, goes to 126.87.
  Currently, VALVE-V7, new, is at 126.87.
  VALVE-V7, new, is 126.87 today.
  VALVE-V7 신품 가격 126.87 현재
  VALVE-V7 신품 가격은 126.87입니다 오늘
  The current price of VALVE-V7, new, rises from 115.00 to 126.87 today.
  현재 VALVE-V7 신품 가격은 126.87로 오릅니다.
  오늘 가격은 VALVE-V7 신품 126.87입니다.
  VALVE-V7, new, is 126.87 higher.
  VALVE-V7, new, is 126.87 lower.
  VALVE-V7, new, moves 126.87.
  VALVE-V7, new, is an increase of 126.87.
  VALVE-V7, new, stays at 126.87.
  VALVE-V7, new, is unchanged at 115.00.
  The price of VALVE-V7, new, is 115.00 instead of 126.87.
  VALVE-V7, new, is 126.87 from 95.00.
  VALVE-V7, new, with exchange, is 126.87.
  VALVE-V7 (exchange), new: 126.87.
  VALVE-V7, new, of MOTOR-M2, is 126.87.
  The items of expected profit come to 287,428.
  The tiers' profit is 287,428.
  The price is 287,428.
  The proposed profit is 287,428.
  The expected profit of price is 287,428.
  The profit of revenue is 899,038.
  It is 126.87.
  The price would be 126.87.
  VALVE, new, is 126.87.
  V7, new, is 126.87.
  VALVE-V70, new, is 126.87.
  XVALVE-V7, new, is 126.87.
  VALVE-V7-X, new, is 126.87.
  VALVE-V7, new, is 12,687.
  VALVE-V7, new, is 1.2687.
  VALVE-V7, new, is -126.87.
  VALVE-V7, new, is +126.87.
  VALVE-V7, new, is 126.87, up −10.3%.
  VALVE-V7, repair, is down −8.32%, to 94.00.
  VALVE-V7, repair, changes by 8.32%.
  VALVE-V7, repair: 86.18 (8.32%).
  MOTOR-M2, new, is (+6.51%).
  Is the price of VALVE-V7, new, 126.87?
  VALVE-V7, new, is 126.87²!
  VALVE-V7, new, is 1̶2̶6.87.
  VALVE-V7, new, is one hundred twenty-eight.
  VALVE-V7, new, rises by a tenth.
  VALVE-V7, new, doubles to 126.87.
  VALVE-V7, new, is 126.87 [more](https://evil.example).
  VALVE-V7, new, is 126.87, see www.evil.example.
  VALVE-V7, new, steigt auf 126,87.
  VALVE-V7, new, is 126.87 × 2.
  VALVE-V7, new, is 126.87 - 10.3%.
  VALVE-V7, new, is 126.87 or 128.
  VALVE-V7, new, is between 115.00 and 126.87.
  VALVE-V7, new, is more than 126.87.
  Expected profit is 287,428 and it is safe.
  Expected profit is 287,428 while nothing breaks.
  Profit rises to 287,428 and revenue to 907,794.
  Profit rises to 287,428, revenue rises to 899,038.
  VALVE-V7, new, is 126.87; MOTOR-M2, new, rises to 1,075.17.
  VALVE-V7, new, is 126.87 and exchange is 126.87.
  VALVE-V7 신품 가격은 126.87로 내리고 MOTOR-M2 신품 가격은 1,075.17로 내립니다.
  VALVE-V7 신품 가격은 10.3배입니다.
  VALVE-V7 신품 가격은 오르지 않고 126.87입니다.
  VALVE-V7 신품과 수리 가격은 126.87입니다.
  VALVE-V7 신품 원가는 126.87입니다.
  VALVE-V7 신품 이익률은 10.3%입니다.
  영업이익은 287,428입니다.
`);
