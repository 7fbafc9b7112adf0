import type { overviewEnglish } from "../en/overview-en.ts";
import type { Translated } from "../translated.ts";

/** Holds the texts of the overview: its figures, and what needs the owner. */
export const overviewPortuguese: Translated<typeof overviewEnglish> = {
  attention_title: "Precisa de atenção",
  attention_none: "Nada precisa de você agora.",
  attention_deliveries: {
    one: "{count} entrega está esperando",
    other: "{count} entregas estão esperando",
  },
  attention_dispute: "Disputa de {amount} no pedido #{number}",
  attention_disputes: "Todas as disputas abertas",
  attention_payments: {
    one: "{count} pagamento sem resultado",
    other: "{count} pagamentos sem resultado",
  },
  badge_alert: "Alerta",
  badge_dispute: "Disputa",
  badge_doubt: "Em dúvida",
  badge_late: "Atrasada",
  numbers_title: "Vendas",
  numbers_none: {
    one: "Nada foi vendido no último {count} dia, nem no anterior. As vendas aparecem aqui.",
    other:
      "Nada foi vendido nos últimos {count} dias, nem nos anteriores. As vendas aparecem aqui.",
  },
  counted_since: "Contado desde",
  period: "Período",
  period_days: {
    one: "{count} dia",
    other: "{count} dias",
  },
  period_now: {
    one: "O último {count} dia",
    other: "Os últimos {count} dias",
  },
  period_before: {
    one: "O {count} dia anterior",
    other: "Os {count} dias anteriores",
  },
  period_own: "Outros dias",
  period_show: "Mostrar",
  period_refused:
    "Estes dias não podem ser mostrados. O primeiro não pode vir depois do último nem de hoje.",
  period_hint: {
    one: "Até {count} dia, comparado com o anterior.",
    other:
      "Até {count} dias, comparados com os anteriores em igual número. Um mês inteiro é " +
      "comparado com o mês anterior.",
  },
  period_span: {
    one: "O dia escolhido",
    other: "Os {count} dias escolhidos",
  },
  numbers_none_span: "Nada foi vendido nestes dias, nem nos anteriores.",
  chart_text_span: {
    one: "{total} em {count} dia, o máximo em {day}: {most}. No anterior: {before}.",
    other: "{total} em {count} dias, o máximo em {day}: {most}. Nos anteriores: {before}.",
  },
  metric_gross: "Vendas brutas",
  metric_orders: "Pedidos pagos",
  metric_net: "Vendas líquidas",
  metric_fees: "Taxas",
  metric_after_fees: "Após taxas",
  fees_not_told: "não informadas",
  fees_known: {
    one: "informadas em {told} de {count} pedido",
    other: "informadas em {told} de {count} pedidos",
  },
  metric_agents: "Pedidos por agentes",
  metric_average: "Pedido médio",
  metric_conversion: "Conversão",
  metric_refunds: "Reembolsos",
  metric_failed: "Pagamentos recusados",
  change_points: "{change} pontos",
  metric_before: "{before} antes",
  chart_text: {
    one: "{total} no último {count} dia, o máximo em {day}: {most}. No anterior: {before}.",
    other:
      "{total} nos últimos {count} dias, o máximo em {day}: {most}. Nos {count} " +
      "anteriores: {before}.",
  },
  chart_choose: "{title}: escolha um dia",
  chart_point: {
    one: "{day}: {value}; {count} dia antes: {before}",
    other: "{day}: {value}; {count} dias antes: {before}",
  },
  methods_title: "Por forma de pagamento",
  method_share: "Parte",
  period_amount_before: "Período anterior",
  best_pieces: "Mais vendidos em unidades",
  best_amount: "Mais vendidos em valor",
  sold_pieces: "Unidades",
  sold_deleted: "excluído",
  channels_title: "Por canal",
  channel_own: "Sem agente",
  customers_kinds: "Clientes novos e recorrentes",
  customers_new: "Novos",
  customers_returning: "Recorrentes",
  figures_by_day: "Números por dia",
  day: "Dia",
};
