/** The figures of the overview, and what needs the owner. */
export const overviewEnglish = {
  attention_title: "Needs attention",
  attention_none: "Nothing needs you now.",
  attention_deliveries: "Deliveries that wait: {count}",
  attention_payments: "Payments without a result: {count}",
  badge_alert: "Alert",
  badge_doubt: "In doubt",
  badge_late: "Late",
  numbers_title: "Sales",
  numbers_none:
    "Nothing was sold in the last {days} days, nor in those before. Sales are drawn here.",
  counted_since: "Counted since",
  period: "Period",
  period_days: "{days} days",
  period_now: "The last {days} days",
  period_before: "The {days} days before",
  metric_gross: "Gross sales",
  metric_orders: "Paid orders",
  metric_refunds: "Refunds",
  metric_failed: "Failed payments",
  metric_before: "{before} before",
  chart_text:
    "{total} in the last {days} days, most on {day}: {most}. In the {days} days before: {before}.",
  chart_point: "{day}: {value}; {days} days before: {before}",
  figures_by_day: "Figures by day",
  day: "Day",
};
