import type { MailTexts } from "./texts-en.ts";

export const portuguese: MailTexts = {
  mail_hello: "Olá, {name}!",
  mail_hello_nobody: "Olá!",
  mail_why: "Você recebe esta mensagem porque comprou em {store}.",
  mail_questions: "Dúvidas? Escreva para {contact}",

  order_confirmation_subject: "Seu pedido nº {number} em {store}",
  order_confirmation_title: "Obrigado pelo seu pedido",
  order_confirmation_text: "Seu pagamento de {amount} chegou. Isto é o que você comprou:",

  receipt_subject: "Recibo nº {number} de {store}",
  receipt_title: "Seu pagamento chegou",
  receipt_text: "Você pagou {amount} em {day}:",

  payment_failed_subject: "Seu pagamento para {store} foi recusado",
  payment_failed_title: "Seu pagamento foi recusado",
  payment_failed_text: "Não foi possível cobrar {amount} por {product}.",
  payment_failed_method: "Não foi possível cobrar {amount} por {product} em {method}.",
  payment_failed_again:
    "A cobrança é tentada de novo nos próximos dias. Você também pode pagar agora:",
  payment_failed_now: "Pague agora ou escolha outra forma de pagamento:",
  payment_failed_button: "Pagar {amount}",
  payment_failed_until: "Este link é só seu. Ele funciona até {time}.",
  payment_failed_ask: "Pergunte a {store} como pagar.",

  renewal_notice_subject: "Sua assinatura em {store}",
  renewal_notice_title: "Sua assinatura mudou",
  renewal_notice_text: "{product} agora custa {renewal}. O próximo pagamento é em {day}.",
  renewal_notice_paused: "{product} está em pausa. Nada é cobrado até a assinatura continuar.",

  upcoming_subject: "Sua assinatura em {store} será renovada em {day}",
  upcoming_title: "Sua assinatura será renovada em breve",
  upcoming_trial_subject: "Seu teste grátis em {store} termina em {day}",
  upcoming_trial_title: "Seu teste grátis termina em breve",
  upcoming_text: "Em {day}, {amount} por {product} será cobrado em {method}.",
  upcoming_nothing:
    "Você não precisa fazer nada para mantê-la. Até lá, você pode cancelar sem nenhuma cobrança.",

  cancellation_subject: "Sua assinatura em {store} terminou",
  cancellation_title: "Sua assinatura terminou",
  cancellation_text: "{product} terminou em {day}. Nada mais é cobrado.",

  page_link_subject: "Suas compras em {store}",
  page_link_title: "Suas compras",
  page_link_text: "Veja seus pedidos e assinaturas em {store}.",
  page_link_all: "Ver minhas compras",
  page_link_button: "Ver meu pedido",
  page_link_until: "Este link é só seu. Ele funciona uma vez, até {time}.",

  refund_subject: "Seu reembolso do pedido nº {number} de {store}",
  refund_title: "Seu dinheiro está voltando",
  refund_text:
    "{store} devolveu {amount} do seu pedido nº {number}. Pode levar alguns dias até aparecer na " +
    "sua conta.",
};
