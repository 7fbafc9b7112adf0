import type { salesEnglish } from "../en/sales-en.ts";
import type { Translated } from "../translated.ts";

/** Holds the texts of orders, money and customers. */
export const salesPortuguese: Translated<typeof salesEnglish> = {
  orders_search: "Buscar",
  orders_search_hint: "Número, comprador, produto ou ID",
  orders_of_product: "Pedidos com o produto",
  orders_empty_title: "Nenhum pedido ainda",
  orders_empty_text:
    "Um pedido nasce quando o comprador paga pela primeira vez, mesmo que o pagamento falhe. " +
    "Faça um em modo de teste: nenhum dinheiro é movimentado.",
  order: "Pedido",
  order_title: "Pedido #{number}",
  order_archived_title: "Arquivado em {month}",
  order_archived_next:
    "Os pedidos encerrados de {month} estão guardados em arquivos. Quem administra este painel " +
    "pode ler {id} lá.",
  order_pending: "Aguardando pagamento",
  order_paid: "Pago",
  order_failed: "Não pago",
  order_partially_refunded: "Parcialmente reembolsado",
  order_refunded: "Reembolsado",
  order_chargeback: "Em disputa",
  goods: "Itens",
  goods_more: {
    one: "{name} e mais {count} item",
    other: "{name} e mais {count} itens",
  },
  customer: "Cliente",
  customer_orders: "Todos os pedidos deste cliente",
  buyer_link: "Link da página do comprador",
  buyer_link_title: "O link da página do comprador está pronto",
  buyer_link_text:
    "Mande-o somente ao comprador. Ele abre este pedido uma vez, com os downloads e as chaves de " +
    "licença, e vale por 14 dias.",
  buyer_link_none:
    "Aqui não há página do comprador. Quem cuida do servidor a configura com a opção customerPage.",
  total: "Total",
  amount: "Valor",
  quantity: "Quantidade",
  email: "E-mail",
  tax_id: "CPF ou CNPJ",
  reason: "Motivo",
  reference: "Referência",
  show: "Ver",
  back: "Voltar",
  items_title: "Itens",
  subtotal: "Subtotal",
  discount: "Desconto",
  discount_by: "Desconto {code}",
  refunded: "Reembolsado",
  refunding: "Em devolução",
  kept: "Fica com você",
  entitlements_title: "O que o comprador recebeu",
  entitlement_granted: "Com o comprador",
  entitlement_pending: "Aguarda uma chave: envie mais",
  regrant: "Devolver ao comprador",
  entitlement_revoked: "Retirado",
  machines: { one: "Em uso em {count} máquina", other: "Em uso em {count} máquinas" },
  machines_of: {
    one: "Em uso em {count} máquina de {limit}",
    other: "Em uso em {count} máquinas de {limit}",
  },
  machines_more: { one: "e mais {count} antiga", other: "e mais {count} antigas" },
  deactivate: "Desativar",
  money_title: "Pagamentos",
  money_none: "Nenhum dinheiro entrou para este pedido.",
  money_booked: "Paga o pedido",
  money_duplicate: "Pago duas vezes",
  money_unapplied: "Valor errado",
  money_returning: "Em devolução",
  money_returned: "Devolvido",
  money_return_failed: "Não devolvido",
  paid_by: "Por {gateway}",
  payment: "Pagamento",
  payment_method: "Forma de pagamento",
  method_pix: "Pix",
  method_card: "Cartão",
  method_boleto: "Boleto",
  method_wallet: "Carteira",
  method_crypto: "Criptomoeda",
  method_other: "Outra",
  failure: "Por que falhou",
  failure_declined: "Recusado",
  failure_expired: "Não pago no prazo",
  failure_canceled: "Cancelado",
  failure_fraud: "Suspeita de fraude",
  failure_error: "Erro no gateway",
  failure_replaced: "Trocado por outro pagamento",
  decline_funds: "Saldo insuficiente no cartão ou na conta. Peça ao comprador que use outro.",
  decline_limit:
    "O cartão chegou ao limite por enquanto. Peça que tente amanhã ou use outro cartão.",
  decline_card_expired: "O cartão está vencido. Peça ao comprador que use outro cartão.",
  decline_card_details:
    "O número, a data ou o endereço do cartão está errado. Peça ao comprador que confira.",
  decline_security_code:
    "O código de segurança do cartão está errado. Peça ao comprador que confira.",
  decline_confirmation:
    "O banco pediu confirmação e não teve resposta. Peça ao comprador que tente de novo e " +
    "confirme.",
  decline_not_supported:
    "O cartão não aceita este tipo de pagamento. Peça ao comprador que use outro cartão.",
  decline_bank:
    "O banco recusou sem dizer por quê. Peça que fale com o banco ou pague de outra forma.",
  decline_later: "O banco não conseguiu responder. Peça ao comprador que tente mais tarde.",
  decline_revoked:
    "O comprador ou o banco bloqueou cobranças neste cartão. Pergunte antes de cobrar de novo.",
  decline_repeated:
    "O banco achou que era a repetição de um pagamento. Veja se o pedido já está pago.",
  decline_test_card: "Um cartão de teste no modo real, ou um cartão real no modo de teste.",
  decline_lost:
    "O banco diz que o cartão foi perdido, roubado ou bloqueado. Não diga o motivo ao comprador.",
  decline_fraud: "O provedor ou o banco suspeita de fraude. Não diga o motivo ao comprador.",
  sold_by_agent: "Vendido por um agente",
  agents_by: "Todos os agentes que usam {protocol}",
  checkout_session: "Sessão de checkout",
  subscription: "Assinatura",
  receipt: "Recibo",
  receipt_title: "Recibo do pedido #{number}",
  receipt_print: "Imprimir",
  receipt_hint: "Sai em uma página pelo comando de impressão do navegador (Ctrl+P).",
  receipt_no_invoice: "Este recibo não é um documento fiscal.",
  history_title: "Histórico",
  history_created: "O pedido foi feito.",
  history_paid: "O pedido está pago.",
  history_attempt: "Pagamento de {amount} com {gateway}",
  history_money: "{amount} entrou por {gateway}",
  history_refund: "Reembolso de {amount}",
  history_dispute: "Disputa de {amount}",
  note: "Anotação",
  note_hint: "Os compradores nunca a veem.",
  note_add: "Anotar",
  refund_do: "Reembolsar",
  refund_title: "Reembolsar o pedido #{number}",
  refund_none: "Não há nada a reembolsar neste pedido.",
  refundable: "Pode ser reembolsado",
  refund_amount_hint: "Tudo o que resta, ou uma parte.",
  refund_reason: "Motivo",
  refund_reason_hint: "Seu software o lê. Os compradores, não.",
  refund_elsewhere: "O dinheiro foi enviado de outra forma?",
  refund_moved: "Eu mesmo já devolvi o dinheiro",
  refund_moved_hint: "Então nenhum dinheiro sai daqui: o reembolso é apenas registrado.",
  refund_reference: "ID desse reembolso no provedor",
  refund_reference_hint: "Com ele a mensagem do provedor não conta o reembolso outra vez.",
  refund_paid: "Pago com desconto",
  refund_made: "Este reembolso já foi feito. Ele está no histórico do pedido.",
  refund_review: "Continuar",
  refund_confirm: "Reembolsar {amount} do pedido #{number}?",
  refund_moves:
    "{amount} volta agora para {name}, pelo caminho por onde veio. Isto não pode ser desfeito.",
  refund_recorded:
    "Um reembolso de {amount} é registrado, e nenhum dinheiro é movimentado: você já o enviou, " +
    "ou precisa enviá-lo. Isto não pode ser desfeito.",
  refund_kept: "{amount} fica com você. Seu software é avisado pelo evento order.refunded.",
  refund_subscription: "A assinatura continua. Cancele-a à parte se ela deve terminar.",
  refund_amount: "Reembolsar {amount}",
  refund_refused:
    "O gateway recusou o reembolso, e nenhum dinheiro foi movimentado. Ele disse: {reason}",
  order_cancel: "Cancelar o pedido",
  order_cancel_title: "Cancelar o pedido #{number}?",
  order_cancel_text:
    "O comprador não pode mais pagá-lo, e o estoque e os cupons que ele segura ficam livres. " +
    "Um pagamento que ainda chegar paga o pedido mesmo assim.",
  payment_return: "Devolver",
  return_title: "Devolver {amount}?",
  return_text: "{amount} volta para {name} por {gateway}. O pedido fica como está.",
  return_by_host:
    "Seu próprio software recebeu este pagamento, e nenhum gateway pode devolvê-lo. " +
    "Devolva por lá.",
  return_none:
    "Este pagamento paga o pedido, ou o dinheiro já voltou. Nesse caso, reembolse o pedido.",
  customers_search: "Buscar",
  customers_search_hint: "Nome, e-mail, ID ou nº do pedido",
  customers_spent_in: "Quem já pagou em {currency}, pelo que gastou nessa moeda",
  customers_empty_title: "Nenhum cliente ainda",
  customers_empty_text: "Quem já pagou um pedido aparece aqui, com o que gastou.",
  paid_orders: "Pedidos pagos",
  spent: "Gasto",
  spent_in: "Gasto em {currency}",
  spent_by: {
    one: "{amount} em {count} pedido pago",
    other: "{amount} em {count} pedidos pagos",
  },
  customer_erased: "Apagado",
  customer_erase: "Apagar o cliente",
  customer_erase_title: "Apagar {name}?",
  customer_erase_gone:
    "Somem, em produção e em teste: nome, e-mail, IDs e CPF ou CNPJ em todos os pedidos, " +
    "assinaturas e eventos, o que o comprador digitou, os metadados, os motivos de reembolsos, " +
    "as anotações nesses pedidos e os acessos do cliente.",
  customer_erase_stays:
    "O que fica: os números, itens e valores dos pedidos, porque são a sua contabilidade. " +
    "As assinaturas continuam até que você as cancele.",
  customer_erase_final: "Isto não pode ser desfeito.",
  payments_lead: "Cada tentativa de pagar, a mais nova primeiro.",
  payments_empty_title: "Nenhum pagamento ainda",
  payments_empty_text: "Cada tentativa de pagar aparece aqui, com o resultado e o gateway.",
  attempt_in_flight: "Em andamento",
  attempt_unknown: "Em dúvida",
  attempt_succeeded: "Aprovado",
  attempt_failed: "Falhou",
  attempt_duplicate: "Pago duas vezes",
  attempt_returned: "Devolvido",
  refunds_empty_title: "Nada foi reembolsado",
  refunds_empty_text: "Os reembolsos aparecem aqui, também os feitos no provedor.",
  refund_pending: "Em andamento",
  refund_succeeded: "Concluído",
  refund_failed: "Falhou",
  disputes_lead:
    "Pagamentos que o comprador contesta no banco. Responda no provedor dentro do prazo.",
  disputes_empty_title: "Nenhuma disputa",
  disputes_empty_text: "Quando um comprador contesta um pagamento, ele aparece aqui com o prazo.",
  dispute_answer:
    "O comprador contesta {amount} no banco dele. Envie a tempo ao provedor o que comprova a " +
    "venda: uma disputa sem resposta é perdida.",
  disputed_fraud:
    "O titular diz que outra pessoa pagou. Prove quem comprou: mensagens do comprador, acessos " +
    "e o que foi entregue a quem.",
  disputed_unrecognized:
    "O comprador não reconhece o pagamento. Escreva para ele e envie o recibo como prova.",
  disputed_not_received:
    "O comprador diz que nada chegou. Prove a entrega: rastreio, assinatura, ou quando a chave " +
    "ou o arquivo foi usado.",
  disputed_unacceptable:
    "O comprador diz que não é como descrito. Envie a descrição e as suas respostas a ele.",
  disputed_duplicate:
    "O comprador diz que pagou duas vezes. Prove que são duas compras, ou reembolse uma delas.",
  disputed_not_refunded:
    "O comprador diz que falta um reembolso. Prove o reembolso, ou as suas condições que o " +
    "excluem.",
  disputed_subscription:
    "O comprador diz que cancelou. Prove que a assinatura continuava, e o que dizem as condições.",
  disputed_bank: "O banco só dá um motivo geral. Pergunte ao provedor do que ele precisa.",
  dispute_open: "Aberta",
  dispute_won: "Ganha",
  dispute_lost: "Perdida",
  due_by: "Responder até",
  checkout_sessions_lead: "Carrinhos que uma loja levou ao checkout, o mais novo primeiro.",
  sessions_empty_title: "Nenhum checkout ainda",
  sessions_empty_text:
    "Quando um comprador vai ao checkout começa uma sessão. Ela termina com um pedido, ou " +
    "com o fim do prazo.",
  session_open: "Aberta",
  session_complete: "Concluída",
  session_expired: "Expirada",
  books_title: "Contabilidade",
  books_link: "Para a contabilidade",
  books_lead: "O dinheiro que se moveu em um período, em um arquivo para o seu contador.",
  books_lines: "Uma linha é",
  books_movements: "um movimento de dinheiro",
  books_items: "um item vendido",
  books_show: "Mostrar",
  books_download: "Baixar CSV",
  books_sums: "O arquivo soma",
  books_chargebacks: "Disputas perdidas",
  books_empty: "Nenhum dinheiro se moveu neste período.",
  books_too_long: "Escolha no máximo 400 dias.",
  books_older:
    "Pedidos de uma versão anterior ainda estão sendo contados: estas somas podem crescer.",
  books_tax_ids: "CPFs e CNPJs têm os três dígitos que ficam guardados.",
  books_no_tax_ids:
    "CPFs e CNPJs ficam ocultos: é preciso uma permissão própria para ver os dígitos guardados.",
};
