import type { rightsEnglish } from "../en/rights-en.ts";
import type { Translated } from "../translated.ts";

/** Says what each right allows. */
export const rightsPortuguese: Translated<typeof rightsEnglish> = {
  "may_stores.create": "Criar uma loja; exige também acesso a todas as lojas",
  "may_stores.update": "Mudar o nome, a marca e os links da loja, e ligar ou desligar a API dela",
  "may_orders.refund": "Reembolsar um pedido, inteiro ou em parte",
  "may_orders.mark_failed": "Cancelar um pedido que espera o pagamento",
  "may_orders.regrant": "Devolver ao comprador o que foi retirado, como uma chave de licença",
  "may_orders.deactivate_license": "Encerrar o uso de uma chave de licença em uma máquina",
  "may_notes.create": "Escrever uma anotação em um pedido",
  "may_orders.return_payment": "Devolver dinheiro que não paga nenhum pedido, como um duplicado",
  "may_subscriptions.cancel": "Cancelar uma assinatura",
  "may_subscriptions.change":
    "Mudar, pausar, retomar ou manter uma assinatura, e criar um link para pagá-la",
  "may_customers.erase": "Apagar de vez os dados pessoais de um cliente, em produção e em teste",
  "may_products.create": "Criar um produto",
  "may_products.update": "Mudar, publicar ou bloquear um produto, e definir o estoque dele",
  "may_products.delete": "Excluir um produto",
  "may_products.import": "Importar produtos de um arquivo: criar e mudar muitos de uma vez",
  "may_products.upload_keys": "Enviar chaves de licença de um produto",
  "may_categories.create": "Criar uma categoria",
  "may_categories.update": "Mudar uma categoria",
  "may_categories.delete": "Excluir uma categoria",
  "may_coupons.create": "Criar um cupom",
  "may_coupons.update": "Mudar um cupom, e ligá-lo ou desligá-lo",
  "may_coupons.delete": "Excluir um cupom",
  "may_payment_methods.create": "Criar uma forma de pagamento",
  "may_payment_methods.update": "Mudar uma forma de pagamento, e ligá-la ou desligá-la",
  "may_payment_methods.delete": "Excluir uma forma de pagamento",
  "may_keys.create": "Criar uma chave de API e vê-la uma vez",
  "may_keys.revoke": "Revogar de vez uma chave de API",
  "may_origins.add": "Permitir chamadas do navegador a partir de uma origem",
  "may_origins.remove": "Proibir chamadas do navegador a partir de uma origem",
  "may_return_urls.add": "Permitir levar compradores de volta a um endereço",
  "may_return_urls.remove": "Proibir levar compradores de volta a um endereço",
  "may_endpoints.create": "Criar um endpoint de webhook e ver o segredo dele uma vez",
  "may_endpoints.update": "Mudar um endpoint de webhook",
  "may_endpoints.enable": "Ligar um endpoint de webhook, e mandar o que ele perdeu",
  "may_endpoints.disable": "Desligar um endpoint de webhook",
  "may_endpoints.rotate": "Criar um novo segredo de webhook e vê-lo uma vez",
  "may_endpoints.test": "Mandar um evento de teste para um endpoint de webhook",
  "may_endpoints.delete": "Excluir um endpoint de webhook",
  "may_deliveries.resend": "Mandar um webhook outra vez",
  "may_alerts.acknowledge": "Marcar um alerta como resolvido",
  "may_test_clock.advance": "Adiantar o relógio do modo de teste",
  may_exports: "Exportar registros em CSV ou JSON por linha",
  "may_exports.tax_ids": "Ver os dígitos de CPF e CNPJ em uma exportação para a contabilidade",
  "may_requests.read": "Ler o registro das requisições à API da loja",
  "may_links.create":
    "Criar um link com que outra pessoa entra, sem mais permissões do que as de quem o cria",
  "may_links.end": "Encerrar um link antes que seja usado",
  "may_sessions.end":
    "Encerrar uma sessão aberta por um link, os links dela e as sessões que eles abriram",
  "may_people.invite":
    "Convidar uma pessoa, sem mais permissões do que as de quem convida, ou dar-lhe um link",
  "may_people.update":
    "Mudar as permissões de uma pessoa, dentro das próprias, ou tirar uma chave de acesso dela",
  "may_people.end":
    "Encerrar o acesso de uma pessoa, com suas sessões e links, e o de quem ela convidou",
};
