import type { alertsEnglish } from "../en/alerts-en.ts";
import type { Translated } from "../translated.ts";

/** Tells what each type of alert means, and what to do about it. */
export const alertsPortuguese: Translated<typeof alertsEnglish> = {
  alert_is_secret_key_in_browser: "Uma chave secreta foi usada em um navegador",
  alert_do_secret_key_in_browser:
    "Quem abre aquela página consegue lê-la. Revogue a chave e use uma chave publicável no lugar.",
  alert_is_payment_mismatch: "Um pagamento tem valor ou moeda diferente do pedido",
  alert_do_payment_mismatch:
    "Ele não pagou o pedido. Compare os dois no provedor de pagamento e devolva o dinheiro se o " +
    "comprador se enganou.",
  alert_is_payment_account_mismatch: "Uma mensagem fala de um pagamento de outra conta",
  alert_do_payment_account_mismatch:
    "Nada foi alterado. Veja de qual conta, e se em produção ou em teste, o provedor de " +
    "pagamento envia as mensagens.",
  alert_is_payment_ambiguous: "Uma mensagem serve para pagamentos de vários pedidos",
  alert_do_payment_ambiguous:
    "Nada foi alterado. Pergunte ao provedor de pagamento de qual pedido se trata.",
  alert_is_duplicate_payment: "Um pedido foi pago duas vezes",
  alert_do_duplicate_payment: "Abra o pedido e devolva o segundo pagamento.",
  alert_is_payment_after_end: "Chegou dinheiro para uma assinatura que já terminou",
  alert_do_payment_after_end: "Abra o pedido e devolva o pagamento.",
  alert_is_agreement_mismatch: "Um comprador autorizou um valor diferente do da assinatura",
  alert_do_agreement_mismatch:
    "Nada é cobrado por essa autorização, e ela é desfeita. Peça outra, com o preço atual.",
  alert_is_return_failed: "Um pagamento não pôde ser devolvido",
  alert_do_return_failed:
    "Veja o motivo no provedor de pagamento, depois abra o pedido e devolva o pagamento de novo.",
  alert_is_oversold: "Um pedido foi pago quando já não havia peças suficientes",
  alert_do_oversold: "Reponha o estoque ou reembolse o pedido.",
  alert_is_coupon_overused: "Um cupom foi usado mais vezes do que podia",
  alert_do_coupon_overused: "O pedido está pago e mantém o desconto. Não há nada a corrigir.",
  alert_is_key_pool_empty: "Um pedido pago espera por chaves de licença",
  alert_do_key_pool_empty: "Envie chaves para o produto: o pedido as recebe na hora.",
  alert_is_endpoint_failing: "Um endpoint de webhook não recebe nada há 24 horas",
  alert_do_endpoint_failing:
    "Veja as últimas entregas e peça o conserto do receptor. Após 72 horas o endpoint é " +
    "desativado.",
  alert_is_endpoint_disabled: "Um endpoint de webhook foi desativado",
  alert_do_endpoint_disabled:
    "Ele não recebeu nada por 72 horas. Peça o conserto do receptor, ative o endpoint e reenvie " +
    "o que falhou.",
  alert_is_consumer_failing: "Um programa que processa os eventos falha há uma hora",
  alert_do_consumer_failing: "Avise quem cuida dele. Os eventos esperam por ele.",
  alert_is_event_given_up: "Um programa deixou de lado um evento que não conseguiu processar",
  alert_do_event_given_up: "Avise quem cuida dele: ele precisa desse evento mais uma vez.",
  alert_is_gateway_declining: "Quase todos os pagamentos são recusados",
  alert_do_gateway_declining:
    "Veja sua conta e as chaves dela no provedor de pagamento, e se há uma falha agora. O alerta " +
    "some quando os pagamentos voltam a passar.",
  alert_is_payment_in_doubt: "Um pagamento está sem resultado há 14 dias",
  alert_do_payment_in_doubt: "Procure-o no provedor de pagamento.",
  alert_is_unknown_payment: "Uma mensagem fala de um pagamento desconhecido aqui",
  alert_do_unknown_payment:
    "Veja se outra loja ou um teste usa a mesma conta do provedor de pagamento.",
  alert_is_refund_failed: "Um reembolso falhou",
  alert_do_refund_failed:
    "O comprador não está com o dinheiro. Veja o motivo no provedor de pagamento e reembolse de " +
    "novo.",
  alert_is_refund_exceeds_order: "Um comprador recebeu de volta mais do que o total do pedido",
  alert_do_refund_exceeds_order:
    "Compare os reembolsos do pedido com os que estão no provedor de pagamento.",
  alert_is_refund_mismatch: "Um reembolso tem moeda diferente do pedido",
  alert_do_refund_mismatch: "Ele não foi contado. Procure-o no provedor de pagamento.",
  alert_is_money_in_doubt: "Um reembolso está sem resultado",
  alert_do_money_in_doubt:
    "Procure-o no provedor de pagamento. Se o comprador está com o dinheiro, registre o " +
    "reembolso no pedido, com o ID que ele tem lá.",
  alert_is_dispute_inquiry: "O banco do comprador pergunta sobre um pagamento",
  alert_do_dispute_inquiry: "Responda no provedor de pagamento, ou isso pode virar uma disputa.",
  alert_is_duplicate_disputed: "Um pagamento que não paga nenhum pedido está em disputa",
  alert_do_duplicate_disputed: "Responda no provedor de pagamento. O pedido fica como está.",
};
