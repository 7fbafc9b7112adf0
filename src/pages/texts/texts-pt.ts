import type { CheckoutTexts } from "./text-names.ts";

export const portuguese: CheckoutTexts = {
  pay_store: "Pagamento para {store}",
  order_at_store: "Seu pedido em {store}",
  test_mode: "Modo de teste. Nenhum dinheiro real é movimentado.",
  back_to_store: "Voltar para {store}",
  total: "Total",
  renews_day: "{amount} por dia",
  renews_days: {
    one: "{amount} a cada {count} dia",
    other: "{amount} a cada {count} dias",
  },
  renews_week: "{amount} por semana",
  renews_weeks: {
    one: "{amount} a cada {count} semana",
    other: "{amount} a cada {count} semanas",
  },
  renews_month: "{amount} por mês",
  renews_months: {
    one: "{amount} a cada {count} mês",
    other: "{amount} a cada {count} meses",
  },
  renews_year: "{amount} por ano",
  renews_years: {
    one: "{amount} a cada {count} ano",
    other: "{amount} a cada {count} anos",
  },
  trial: {
    one: "{count} dia grátis, depois {renewal}",
    other: "{count} dias grátis, depois {renewal}",
  },
  items: { one: "{count} item", other: "{count} itens" },
  subtotal: "Subtotal",
  discount: "Desconto",
  discount_code: "Desconto {code}",

  details_title: "Seus dados",
  name_label: "Nome completo",
  email_label: "E-mail",
  tax_id_label: "CPF ou CNPJ",
  optional: "opcional",
  optional_but_boleto: "necessário apenas para boleto",
  optional_but_saved: "necessário para Pix Automático",
  optional_but_boleto_saved: "necessário para boleto e Pix Automático",
  method_title: "Forma de pagamento",
  method_delayed: "Confirmação em até 3 dias úteis",
  consent:
    "Você autoriza {store} a cobrar automaticamente por este meio até você cancelar: {renewal}",
  consent_pix:
    "Ao pagar este Pix, você autoriza no seu banco o Pix Automático de {store}, até você " +
    "cancelar na loja ou no aplicativo do banco: {renewal}",
  switch_note: "Ao iniciar outro pagamento, cancelamos o que você já começou.",
  pay: "Pagar {amount}",
  confirm: "Confirmar o pedido",
  start_trial: "Começar o teste grátis",
  trial_discount: "Teste grátis",
  trial_used: "Você já usou o teste grátis deste produto. Ainda pode comprá-lo sem o teste.",
  trial_leave: "Continuar sem o teste",
  trial_left:
    "Seu pedido segue sem o teste grátis: você paga o primeiro período agora. " +
    "Este é o novo total.",
  open_until: "Você pode pagar até {time}.",

  errors_title: "Corrija o seguinte:",
  name_missing: "Digite seu nome completo.",
  email_missing: "Digite seu e-mail, por exemplo ana@exemplo.com.",
  email_invalid: "Digite um e-mail completo, por exemplo ana@exemplo.com.",
  tax_id_missing: "Digite seu CPF ou CNPJ. Sem ele não é possível gerar o boleto.",
  tax_id_missing_saved:
    "Digite seu CPF ou CNPJ. Sem ele seu banco não pode autorizar o Pix Automático.",
  tax_id_invalid: "Confira o número: o CPF tem 11 dígitos e o CNPJ tem 14 caracteres.",
  cpf_wrong: "Este CPF não existe. Confira cada dígito.",
  cnpj_wrong: "Este CNPJ não existe. Confira cada dígito.",
  method_missing: "Escolha como você quer pagar.",
  method_gone: "Esta forma de pagamento não serve mais para o pedido. Escolha outra.",
  value_invalid: "Digite de novo: há um caractere que não é aceito, ou o texto é longo demais.",

  declined:
    "O pagamento foi recusado e nada foi cobrado. " +
    "Tente de novo ou escolha outra forma de pagamento.",
  declined_funds:
    "Não há saldo suficiente no cartão ou na conta. Nada foi cobrado. Use outro cartão ou " +
    "outra forma de pagamento.",
  declined_limit:
    "O cartão chegou ao limite por enquanto. Nada foi cobrado. Tente amanhã ou escolha outra " +
    "forma de pagamento.",
  declined_card_expired:
    "O cartão está vencido. Nada foi cobrado. Use outro cartão ou outra forma de pagamento.",
  declined_card_details:
    "Algum dado do cartão está errado. Nada foi cobrado. Confira o número, a data e o endereço.",
  declined_security_code:
    "O código de segurança do cartão está errado. Nada foi cobrado. Confira os dígitos no cartão.",
  declined_confirmation:
    "Seu banco pediu uma confirmação e não teve resposta. Nada foi cobrado. Tente de novo e " +
    "confirme no banco.",
  declined_not_supported:
    "O cartão não aceita este tipo de pagamento. Nada foi cobrado. Use outro cartão ou outra " +
    "forma de pagamento.",
  declined_bank:
    "Seu banco recusou o pagamento. Nada foi cobrado. Fale com o banco ou escolha outra " +
    "forma de pagamento.",
  declined_later:
    "Seu banco não conseguiu responder. Nada foi cobrado. Tente de novo em alguns minutos.",
  payment_canceled:
    "O pagamento foi cancelado e nada foi cobrado. Você pode pagar novamente quando quiser.",
  payment_expired: "O prazo desse pagamento terminou. Você pode iniciar outro.",
  payment_error:
    "O pagamento não deu certo e nada foi cobrado. " +
    "Tente de novo ou escolha outra forma de pagamento.",
  not_started:
    "Não foi possível iniciar o pagamento e nada foi cobrado. " +
    "Escolha outra forma ou tente de novo em alguns minutos.",
  not_canceled:
    "O pagamento que você começou não pode mais ser cancelado. " +
    "Conclua-o ou aguarde até sabermos o resultado.",
  not_yet_paid: "Acabamos de consultar: o pagamento ainda não foi confirmado.",
  no_methods_title: "Este pedido não pode ser pago on-line",
  no_methods_next:
    "A loja não tem forma de pagamento para este valor. Nada foi cobrado. " +
    "Volte para a loja para alterar seu pedido.",

  redirect_title: "Conclua seu pagamento",
  redirect_next:
    "O pagamento ainda não foi confirmado. Se você já pagou, aguarde um momento. " +
    "Se não, continue para o pagamento.",
  redirect_button: "Continuar para o pagamento",
  qr_title: "Pague com este código",
  qr_step_open: "Copie o código e abra o aplicativo do seu banco.",
  qr_step_scan: "Escolha Pix copia e cola e cole o código. Ou escaneie o QR Code.",
  qr_step_wait: "Confirme o pagamento no aplicativo.",
  qr_show: "Mostrar o QR Code",
  qr_picture: "QR Code do pagamento",
  qr_text_label: "Pix copia e cola",
  qr_expired_title: "O código expirou",
  qr_expired_next: "Se você já pagou, aguarde um momento. Se não, gere um novo código.",
  qr_again: "Gerar novo código",
  voucher_title: "Pague o boleto",
  voucher_next:
    "Pague este número no aplicativo do seu banco ou em uma agência. " +
    "O pagamento é confirmado em até 3 dias úteis.",
  voucher_number_label: "Linha digitável",
  voucher_link: "Abrir o boleto",
  voucher_until: "Pague até {date}.",
  pay_until: "Pague até {time}.",
  time_left: "Tempo restante: {time}",
  copy_code: "Copiar o código",
  copy_number: "Copiar o número",
  copied: "Copiado",
  secret_title: "Esta forma não está disponível nesta página",
  secret_next: "Nada foi cobrado. Escolha outra forma de pagamento ou volte para a loja.",
  element_title: "Informe os dados do pagamento",
  element_next: "Eles vão só para o provedor de pagamento. A loja nunca os vê.",
  element_loading:
    "O formulário de pagamento está carregando. Se ele não aparecer, pague na página do provedor.",
  element_failed:
    "Não foi possível carregar o formulário de pagamento, e nada foi cobrado. " +
    "Pague na página do provedor.",
  element_paying: "Um momento …",
  element_provider: "Pagar na página do provedor",
  pending_title: "Seu pagamento está sendo processado",
  pending_next: "Você não precisa fazer nada. Não pague de novo.",
  waiting: "Aguardando o pagamento. Esta página se atualiza sozinha.",
  check: "Já paguei",
  check_in_test: "Simular o pagamento",
  other_method: "Escolher outra forma",
  cancel_payment: "Cancelar o pagamento",

  paid_title: "Pagamento recebido",
  paid_next: "Obrigado. A loja recebeu seu pedido e informará os próximos passos.",
  refunded_title: "Pagamento devolvido",
  refunded_next: "Este pedido foi pago, e o valor está sendo devolvido a você.",
  order_number: "Pedido {number}",
  paid_at: "Pago em {time}",
  what_next_title: "O que acontece agora",
  continue_to_store: "Continuar para {store}",
  see_order: "Ver meu pedido",
  expired_title: "Este checkout expirou",
  expired_next:
    "Nada foi cobrado. Volte para a loja: lá seu pedido começa de novo, com os preços atuais.",
  sold_out_title: "Acabou de esgotar",
  sold_out_next:
    "Um produto do seu pedido não está mais em estoque. Nada foi cobrado. " +
    "Volte para a loja para alterar seu pedido.",
  too_many_title: "Muitos pagamentos recusados",
  too_many_next:
    "Este checkout não aceita mais pagamentos, e nada foi cobrado. " +
    "Volte à loja e comece uma nova compra.",
  cart_changed: "O carrinho mudou desde que você abriu esta página. Confira e depois pague.",
  too_fast: "Muitos pagamentos foram enviados da sua rede. Espere um minuto e pague de novo.",
  sold_out_goods:
    "{goods}: não há mais estoque para a quantidade do seu pedido. Nada foi cobrado. " +
    "Volte para a loja para alterar seu pedido.",
  sold_out_go_on:
    "{goods}: não há mais estoque para a quantidade do seu pedido. Nada foi cobrado. " +
    "Continue com o restante ou volte para a loja.",
  go_on: "Continuar com o restante",
  goods_removed: "Seu pedido continua sem o que esgotou. Este é o novo total.",
  goods_and_coupon_removed:
    "Seu pedido continua sem o que esgotou. O cupom não vale para o restante. " +
    "Este é o novo total.",
  coupon_label: "Cupom",
  coupon_apply: "Aplicar",
  coupon_remove: "Remover o cupom",
  coupon_applied: "O cupom foi aplicado. Este é o novo total.",
  coupon_removed: "O cupom foi removido. Este é o novo total.",
  coupon_unknown: "Este cupom não existe. Confira cada letra e número.",
  coupon_early: "Este cupom ainda não pode ser usado.",
  coupon_over: "Este cupom já terminou.",
  coupon_used_up: "Este cupom já foi usado o número máximo de vezes.",
  coupon_minimum: "Este cupom vale para compras a partir de {amount}.",
  coupon_unfit: "Este cupom não vale para estes produtos.",
  coupon_title: "O cupom não vale mais",
  coupon_next: "Nada foi cobrado. Volte para a loja para comprar com outro cupom ou sem cupom.",
  not_found_title: "Este checkout não existe",
  not_found_next:
    "O endereço está incompleto ou é antigo demais. " +
    "Abra-o de novo a partir da loja em que você comprou.",
  unavailable_title: "A página está indisponível no momento",
  unavailable_next:
    "A falha é nossa. Se você acabou de pagar, não pague de novo: " +
    "abra esta página novamente em um minuto para ver o resultado.",
  foreign_form_title: "Este formulário não foi enviado pela página de checkout",
  foreign_form_next: "Nada foi feito. Abra o checkout de novo e envie o formulário por lá.",
  try_again: "Abrir o checkout de novo",

  sold_by: "Vendido por {name}",
  paid_by: "Pagamento por {name}",
  support: "Ajuda",
  terms: "Termos",
  privacy: "Privacidade",
  outcome_label: "Resultado do pagamento de teste",
  outcome_note: "Só a sandbox mostra esta escolha.",
};
