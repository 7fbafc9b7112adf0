import type { EventType } from "../../contract/events.ts";
import type { tags } from "../../contract/openapi/descriptions.ts";
import type { securitySchemes } from "../../contract/openapi/openapi-parts.ts";
import type { Operation } from "../../contract/paths.ts";

// The contract's own texts are English. These stand in their place for Portuguese readers.

export const introduction = `Loja sem páginas próprias: catálogo, sessões de checkout, pedidos e \
eventos de uma loja, aquela a que a chave de API pertence.

- Envie \`Authorization: Bearer <chave>\` em toda chamada. Um navegador acrescenta sua chave \
publicável no parâmetro \`key\` da consulta, e a origem da página precisa estar registrada.
- Dinheiro é um inteiro na menor unidade de \`currency\`. Horários são ISO 8601 em UTC. Um valor \
ausente é \`null\`.
- Dentro da v1 podem surgir rotas, parâmetros opcionais, campos, códigos de erro, valores de enum \
e tipos de evento: ignore o que você não conhece.
- \`HEAD\` funciona onde \`GET\` funciona. Um nome dado duas vezes na consulta é \
\`parameter_invalid\`.`;

export const tagNames: Readonly<Record<keyof typeof tags, string>> = {
  Catalog: "Catálogo",
  Checkout: "Checkout",
  Orders: "Pedidos",
  Licenses: "Licenças",
  Buyers: "Compradores",
  Events: "Eventos",
};

export const tagTexts: Readonly<Record<keyof typeof tags, string>> = {
  Catalog:
    "O que a loja vende. As respostas trazem um `ETag`; repita a chamada com `If-None-Match`, e " +
    "um catálogo que não mudou é um 304.",
  Checkout:
    "O pagamento nunca é feito aqui: crie uma sessão, mande o comprador ao `checkout_url` dela e " +
    "espere por `order.paid`. Nunca entregue nada na página a que o comprador volta.",
  Orders: "Pedidos da loja, com uma chave secreta. CPF e CNPJ vêm sempre mascarados.",
  Licenses:
    "Para programas que pedem uma chave de licença: uma chave publicável pode ir junto com eles.",
  Buyers: "O que um comprador identificado pode ver do que é seu.",
  Events:
    "A alternativa aos webhooks, por consulta: os mesmos bytes, do mais antigo ao mais novo, sem " +
    "lacunas.",
};

export const operationTitles: Readonly<Record<Operation, string>> = {
  getStore: "Obter a loja",
  listProducts: "Listar produtos",
  getProduct: "Obter um produto pelo id ou pelo slug",
  listSuggestions: "Sugerir produtos pelo começo do nome",
  listCategories: "Listar categorias",
  getGoogleFeed: "Obter o feed de produtos para o Google",
  getProductFeed: "Obter os produtos em linhas JSON",
  listPaymentMethods: "Listar formas de pagamento",
  createCheckoutSession: "Criar uma sessão de checkout",
  updateCheckoutSession: "Mudar uma sessão de checkout",
  getCheckoutSession: "Obter uma sessão de checkout",
  validateCoupon: "Validar um cupom para um carrinho",
  validateLicense: "Validar uma chave de licença",
  activateLicense: "Ativar uma chave de licença em uma máquina",
  deactivateLicense: "Desativar uma chave de licença em uma máquina",
  listOrders: "Listar pedidos, os mais novos primeiro",
  getOrder: "Obter um pedido",
  listMyOrders: "Listar os pedidos do próprio comprador, os mais novos primeiro",
  listMySubscriptions: "Listar as assinaturas do próprio comprador, as mais novas primeiro",
  cancelMySubscription: "Encerrar uma assinatura do próprio comprador no fim do período",
  keepMySubscription: "Desfazer o encerramento de uma assinatura do próprio comprador",
  listEvents: "Listar eventos, os mais antigos primeiro",
};

export const eventMeanings: Readonly<Record<EventType, string>> = {
  "checkout.session.completed": "O comprador concluiu a sessão de checkout.",
  "order.created": "Um pedido foi criado, no primeiro envio de um pagamento.",
  "order.paid": "O pagamento está confirmado: é a hora certa de entregar o produto.",
  "order.failed": "O pagamento falhou, venceu ou foi cancelado.",
  "order.refunded": "O pedido foi reembolsado, em parte ou por inteiro.",
  "order.refund_failed":
    "Um reembolso em andamento ou já feito falhou: nenhum dinheiro voltou ao comprador.",
  "order.chargeback": "Chegou uma contestação do pagamento.",
  "subscription.created": "Uma assinatura foi criada.",
  "subscription.renewed": "Uma assinatura foi renovada, depois do pagamento da renovação.",
  "subscription.updated":
    "Uma assinatura foi alterada: quanto custa ou o que traz o próximo período.",
  "subscription.renewal_upcoming":
    "O próximo período de uma assinatura será cobrado em breve, uma vez por período.",
  "subscription.past_due": "Um período de uma assinatura não foi pago: a cobrança falhou.",
  "subscription.recovered": "Uma assinatura que estava em atraso foi paga.",
  "subscription.payment_action_required":
    "A forma de pagamento salva não paga sem o comprador, que precisa pagar ou indicar outra.",
  "subscription.canceled": "Uma assinatura terminou.",
  "entitlement.granted":
    "Um comprador recebeu o que comprou: com o pagamento, e de novo quando um reembolso ou uma " +
    "contestação é desfeita.",
  "entitlement.revoked":
    "O que um comprador tinha recebido foi retirado: por reembolso total ou por contestação.",
};

export const schemeTexts: Readonly<Record<keyof typeof securitySchemes, string>> = {
  publishableKey:
    "`hk_live_pub_…` ou `hk_test_pub_…`: pode estar em uma página ou em um app. Catálogo e " +
    "checkout.",
  browserKey:
    "A chave publicável mais uma vez, nas chamadas de um navegador: o preflight não leva " +
    "`Authorization`. Servidores a deixam de fora.",
  secretKey:
    "`hk_live_sec_…` ou `hk_test_sec_…`: só no servidor da loja. Tem todos os escopos, a menos " +
    "que tenha sido criada com menos.",
  customerToken:
    "Diz quem é o comprador; emitido pelo servidor da loja para um comprador identificado.",
};
