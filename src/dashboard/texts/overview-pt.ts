import type { overviewEnglish } from "./overview-en.ts";

/** Holds the texts of the overview: its figures, and what needs the owner. */
export const overviewPortuguese: Readonly<Record<keyof typeof overviewEnglish, string>> = {
  attention_title: "Precisa de atenção",
  attention_none: "Nada precisa de você agora.",
  attention_deliveries: "Entregas que esperam: {count}",
  attention_dispute: "Disputa de {amount} no pedido #{number}",
  attention_disputes: "Todas as disputas abertas",
  attention_payments: "Pagamentos sem resultado: {count}",
  badge_alert: "Alerta",
  badge_dispute: "Disputa",
  badge_doubt: "Em dúvida",
  badge_late: "Atrasada",
  numbers_title: "Vendas",
  numbers_none:
    "Nada foi vendido nos últimos {days} dias, nem nos anteriores. As vendas aparecem aqui.",
  counted_since: "Contado desde",
  period: "Período",
  period_days: "{days} dias",
  period_now: "Os últimos {days} dias",
  period_before: "Os {days} dias anteriores",
  metric_gross: "Vendas brutas",
  metric_orders: "Pedidos pagos",
  metric_conversion: "Conversão",
  metric_refunds: "Reembolsos",
  metric_failed: "Pagamentos recusados",
  metric_before: "{before} antes",
  chart_text:
    "{total} nos últimos {days} dias, o máximo em {day}: {most}. Nos {days} anteriores: {before}.",
  chart_point: "{day}: {value}; {days} dias antes: {before}",
  figures_by_day: "Números por dia",
  day: "Dia",
};
