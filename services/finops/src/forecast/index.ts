export type { Grain } from "./calendar.ts";
export { ForecastError, type ForecastErrorCode } from "./errors.ts";
export { forecasting, forecastSpend } from "./forecast.ts";
export { METHODS, type Method } from "./methods.ts";
export type { CostPoint, Gap, History } from "./series.ts";
export type {
  Bands,
  Budget,
  Change,
  Component,
  ComponentForecast,
  ForecastPoint,
  ForecastRequest,
  ForecastWarning,
  Interval,
  PeriodTotal,
  ScheduledCost,
  SpendForecast,
} from "./types.ts";
