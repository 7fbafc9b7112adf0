/** Names a period of a subscription. */
export interface RenewedPeriod {
  readonly subscription_id: string;
  /** The start of the period, in epoch milliseconds. */
  readonly period_start: number;
}
