/** Holds the texts of the overview: its figures, and what needs the owner. */
export const overviewEnglish = {
  attention_title: "Needs attention",
  attention_none: "Nothing needs you now.",
  attention_deliveries: {
    one: "{count} delivery is waiting",
    other: "{count} deliveries are waiting",
  },
  attention_dispute: "{amount} of order #{number} are disputed",
  attention_disputes: "All open disputes",
  attention_payments: {
    one: "{count} payment has no result",
    other: "{count} payments have no result",
  },
  badge_alert: "Alert",
  badge_dispute: "Dispute",
  badge_doubt: "In doubt",
  badge_late: "Late",
  numbers_title: "Sales",
  numbers_none: {
    one: "Nothing was sold in the last {count} day, nor in the one before. Sales appear here.",
    other: "Nothing was sold in the last {count} days, nor in those before. Sales appear here.",
  },
  counted_since: "Counted since",
  period: "Period",
  period_days: {
    one: "{count} day",
    other: "{count} days",
  },
  period_now: {
    one: "The last {count} day",
    other: "The last {count} days",
  },
  period_before: {
    one: "The {count} day before",
    other: "The {count} days before",
  },
  period_own: "Other days",
  period_show: "Show",
  period_refused:
    "These days cannot be shown. The first one must not come after the last one, nor after today.",
  period_hint: {
    one: "Up to {count} day, compared with the one before.",
    other:
      "Up to {count} days, compared with as many before them. A whole month is compared with the " +
      "month before it.",
  },
  period_span: {
    one: "The chosen day",
    other: "The {count} chosen days",
  },
  numbers_none_span: "Nothing was sold on these days, nor on those before.",
  chart_text_span: {
    one: "{total} on {count} day, most on {day}: {most}. On the day before: {before}.",
    other: "{total} on {count} days, most on {day}: {most}. On as many days before: {before}.",
  },
  metric_gross: "Gross sales",
  metric_orders: "Paid orders",
  metric_net: "Net sales",
  metric_fees: "Fees",
  metric_after_fees: "After fees",
  fees_not_told: "not told",
  fees_known: {
    one: "told for {told} of {count} order",
    other: "told for {told} of {count} orders",
  },
  metric_agents: "Orders by agents",
  metric_average: "Average order",
  metric_conversion: "Conversion",
  metric_refunds: "Refunds",
  metric_failed: "Failed payments",
  change_points: "{change} points",
  metric_before: "{before} before",
  chart_text: {
    one:
      "{total} in the last {count} day, most on {day}: {most}. In the {count} day " +
      "before: {before}.",
    other:
      "{total} in the last {count} days, most on {day}: {most}. In the {count} days " +
      "before: {before}.",
  },
  chart_choose: "{title}: choose a day",
  chart_point: {
    one: "{day}: {value}; {count} day before: {before}",
    other: "{day}: {value}; {count} days before: {before}",
  },
  methods_title: "By payment method",
  method_share: "Share",
  period_amount_before: "Period before",
  best_pieces: "Best sellers by pieces",
  best_amount: "Best sellers by money",
  sold_pieces: "Pieces",
  sold_deleted: "deleted",
  channels_title: "By channel",
  channel_own: "Without an agent",
  customers_kinds: "New and returning customers",
  customers_new: "New",
  customers_returning: "Returning",
  figures_by_day: "Figures by day",
  day: "Day",
};
