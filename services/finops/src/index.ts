export { DEFAULT_SENSITIVITY, type Run, type Sensitivity, unusualRuns } from "./anomaly/detect.ts";
export { type Drivers, driversOf, type Item, mainDriver } from "./anomaly/drivers.ts";
export { type Anomaly, type AnomalyAnswer, type AnomalyQuery, findAnomalies } from "./anomaly/find.ts";
export { type ExpectAnswer, type ExpectQuery, expectationOf } from "./bills/expect.ts";
export { type ForecastAnswer, type ForecastQuery, forecastOf } from "./bills/forecast.ts";
export {
  type Coverage,
  type Offer,
  type SavingsBasis,
  type SavingsQuery,
  savingsBasisOf,
} from "./bills/savings.ts";
export {
  type Alert,
  alertsSchema,
  GRAINS,
  type Grain,
  type Threshold,
  thresholdsSchema,
} from "./effects/alert.ts";
export { judgeActions, type ProposedAction } from "./effects/judge-actions.ts";
export { judgeAlert } from "./effects/judge-alert.ts";
export { type AlertProposal, type AlertQuery, proposingAlert } from "./effects/propose-alert.ts";
export { judgementSchema } from "./effects/verdict.ts";
export { FinopsError, type FinopsErrorCode } from "./errors.ts";
export {
  type InventoryAnswer,
  type InventoryPart,
  type InventoryQuery,
  inventoryOf,
} from "./inventory/inventory.ts";
export {
  comparedPeriod,
  PERIOD_NAMES,
  type Period,
  type PeriodAsked,
  periodOf,
  type Span,
} from "./periods/period.ts";
export { answerQuery, type Caller } from "./query/answer.ts";
export { DIMENSION_NAMES } from "./query/dimensions.ts";
export type { RowFilters } from "./query/filters.ts";
export { METRIC_NAMES, type MetricName } from "./query/metrics.ts";
export { filterSchema, periodSchema, querySchema } from "./query/schema.ts";
export {
  type CostAnswer,
  type CostQuery,
  type Filter,
  type Group,
  ORDERS,
  type Order,
  type Part,
} from "./query/types.ts";
export { artifactOf, barsOf, type Picture } from "./report/picture.ts";
export { type Report, type ReportQuery, reportOf, type Section } from "./report/report.ts";
export { applyAhead, type SaidAhead, type SaidAmount } from "./said/ahead.ts";
export { applyAlert, type SaidAlert } from "./said/alert.ts";
export { applySaid, type Said } from "./said/apply.ts";
export { type Constraint, constraintsSchema } from "./said/constraint.ts";
export { amountsIn, wordsIn } from "./texts/language.ts";
export { filterText, tellAnomalies, tellCosts, tellInventory } from "./texts/tell.ts";
export { tellAlert } from "./texts/tell-alert.ts";
export { tellForecast } from "./texts/tell-forecast.ts";
export type { Words } from "./texts/words.ts";
