import type { subscriptionsEnglish } from "../en/subscriptions-en.ts";
import type { Translated } from "../translated.ts";

/** Holds the texts of subscriptions. */
export const subscriptionsPortuguese: Translated<typeof subscriptionsEnglish> = {
  subscriptions_empty_title: "Nenhuma assinatura ainda",
  subscriptions_empty_text:
    "Quem compra um produto com intervalo ganha uma assinatura, que aparece aqui.",
  subscriptions_moved: "Nos últimos 30 dias: {parts}",
  subscriptions_started: { one: "{count} iniciada", other: "{count} iniciadas" },
  subscriptions_ended: { one: "{count} encerrada", other: "{count} encerradas" },
  subscriptions_churn: "cancelamento {share}",
  subscriptions_recovered: "{amount} recuperados",
  subscriptions_monthly: "{amount} por mês",
  subscriptions_active: "Ativas: {number}",
  subscriptions_trialing: "No período de teste: {number}",
  subscriptions_past_due: "Atrasadas: {number}",
  subscriptions_ending: "Terminam com o período: {number}",
  subscriptions_paused: "Pausadas: {number}",
  subscriptions_due: {
    one: "Vence em {count} dia",
    other: "Vence em {count} dias",
  },
  subscription_active: "Ativa",
  subscription_trialing: "Em teste",
  subscription_past_due: "Atrasada",
  subscription_canceled: "Cancelada",
  subscription_ends: "termina com o período",
  next_period: "Próximo período",
  period_start: "Período atual desde",
  ended_at: "Terminou em",
  latest_order: "Último pedido",
  charged_by: "Cobrada por",
  charged_by_host: "Seu próprio código",
  next_charge: "Próxima cobrança",
  subscription_paused: "Pausada: nada é cobrado",
  every_day: "{amount} por dia",
  every_week: "{amount} por semana",
  every_month: "{amount} por mês",
  every_year: "{amount} por ano",
  every_days: {
    one: "{amount} a cada {count} dia",
    other: "{amount} a cada {count} dias",
  },
  every_weeks: {
    one: "{amount} a cada {count} semana",
    other: "{amount} a cada {count} semanas",
  },
  every_months: {
    one: "{amount} a cada {count} mês",
    other: "{amount} a cada {count} meses",
  },
  every_years: {
    one: "{amount} a cada {count} ano",
    other: "{amount} a cada {count} anos",
  },
  subscription_cancel: "Cancelar a assinatura",
  subscription_cancel_title: "Cancelar {name}?",
  subscription_cancel_text:
    "Nenhum outro período é cobrado, e seu software é avisado quando ela terminar. " +
    "Nada é reembolsado.",
  subscription_over: "Esta assinatura terminou.",
  cancel_when: "Quando termina?",
  cancel_at_period_end: "Com o período pago",
  cancel_now: "Agora",
  subscription_pause: "Pausar",
  subscription_resume: "Retomar",
  subscription_keep: "Não encerrar",
  subscription_link: "Link para pagar",
  subscription_link_title: "O link para pagar está pronto",
  subscription_link_text:
    "Mande-o ao comprador, que paga o período ali com qualquer forma de pagamento. Vale por 14 " +
    "dias.",
  subscription_link_return:
    "Permita antes um endereço de retorno (Endereços permitidos): o comprador vai para lá " +
    "depois de pagar.",
  subscription_link_none:
    "Aqui é usada a sua própria página de checkout: nenhum link pode ser feito.",
  subscription_changed: "A assinatura mudou nesse meio-tempo. É assim que ela está agora.",
  done_subscription_paused: "A assinatura está pausada. Nada é cobrado até ser retomada.",
  done_subscription_resumed: "A assinatura continua. O tempo da pausa não é cobrado.",
  done_subscription_kept: "A assinatura continua depois do período.",
};
