import type { Text } from "../../domain/plural.ts";
import type { guidesEnglish } from "./guides-en.ts";

/** The texts of the guides, in Portuguese. */
export const guidesPortuguese: Readonly<Record<keyof typeof guidesEnglish, Text>> = {
  quick_start: "Primeiros passos",
  first_purchase: "Primeira compra",
  first_webhook: "Primeiro webhook",
  sandbox: "Sandbox",
  going_live: "Entrar em produção",
  changes: "Mudanças",
  authentication: "Autenticação",

  quick_keys:
    "Peça à loja um par de **chaves de teste**. A chave secreta de teste começa com " +
    "`hk_test_sec_` e fica no seu servidor; a publicável começa com `hk_test_pub_` e pode estar " +
    "em uma página. Chaves de teste não movem dinheiro. Todo exemplo lê sua chave do ambiente:",
  quick_call: "Primeira chamada",
  quick_call_text: "Esta chamada diz de que loja é a chave:",
  quick_call_answer:
    "A resposta traz o recurso em `data`. `livemode` é `false` com uma chave de teste, e " +
    "`request_id` é o que o suporte vai pedir.",
  quick_refused: "Quando ela é recusada",
  quick_refused_text:
    "Um erro tem um `code` que não muda, o `param` que o causou e um `docs_url` que leva ao seu " +
    "verbete na [referência de erros]({errors}). Os exemplos mostram o erro e param.",
  quick_browser: "A partir do navegador",
  quick_browser_text:
    "Use uma chave publicável e envie-a também no parâmetro `key` da consulta: o navegador pede " +
    "permissão antes, e esse pedido não leva `Authorization`.",
  quick_browser_label: "JavaScript: em uma página",
  quick_origin:
    "A loja registra antes a origem da página; com `localhost_origins` ela aceita, para chaves " +
    "de teste, toda página em localhost, e manda os compradores de volta para lá. Se a origem " +
    "não está registrada, ou se o parâmetro falta ou não é uma chave, o navegador mostra um " +
    "**erro de CORS** e esconde a resposta.",
  quick_forms:
    "Os formulários “Experimentar” ao lado das chamadas fazem o mesmo com uma chave publicável " +
    "de teste. Eles a guardam até que se saia da página e a enviam só a esta API. Um formulário " +
    "que cria algo é enviado com a origem desta página, que a loja registra como outra qualquer.",
  quick_postman: "Com o Postman",
  quick_postman_text:
    "Importe [openapi.json]({openapi}). Nas opções da importação, escolha **Example** para os " +
    "parâmetros e desligue **Enable optional parameters**. Sem isso o Postman envia todos os " +
    "filtros de uma vez, com valores inventados. Depois dê à coleção uma variável `bearerToken` " +
    "com a sua chave.",

  buy_intro:
    "O pagamento nunca é feito nas suas páginas. Você cria uma sessão, o comprador paga na " +
    "página de checkout dela, e um evento avisa você.",
  buy_find: "Encontre um produto. O `id` dele vai na sessão.",
  buy_create:
    "Crie a sessão com o `id` do seu produto. Um produto com `variables` pede também esses " +
    "valores. Troque `success_url` e `cancel_url` por endereços registrados na loja; " +
    "`http://localhost` pode ser um deles, e uma chave de teste o usa sem registro quando a loja " +
    "tem `localhost_origins`. `PURCHASE_ID` é um texto seu, um por compra: repetida com o mesmo " +
    "texto, a chamada responde como da primeira vez, e uma resposta perdida nunca cria duas " +
    "sessões.",
  buy_pay:
    "Abra em um navegador o `checkout_url` da resposta. No modo de teste a página pergunta como " +
    "o pagamento deve terminar. Escolha um dos [resultados]({sandbox}) e pague.",
  buy_return:
    "Você volta a `success_url`, com o id da sessão no lugar de `{CHECKOUT_SESSION_ID}`. Ponha " +
    "esse id no endereço desta chamada e diga ao comprador como está o pagamento.",
  buy_release:
    "Nunca entregue nada nessa página: um comprador pode abri-la sem ter pago, ou fechar o " +
    "navegador antes dela. Entregue quando chegar `order.paid`.",

  hook_intro:
    "Salve este receptor. Ele não precisa de pacote nenhum: confere a assinatura sobre os bytes " +
    "como vieram e responde na hora.",
  hook_start:
    "Inicie-o com o segredo do endpoint, que a loja mostra uma única vez, ao criar o endpoint.",
  hook_start_or: "node receiver.mjs   # ou: python3 receiver.py",
  hook_reach:
    "Faça as mensagens chegarem a ele. O servidor da loja envia a endereços https públicos; dê a " +
    "ele o endereço de um túnel até a porta 4000. Um servidor na sua própria máquina pode enviar " +
    "a `http://127.0.0.1:4000` com a opção `allowTargets`.",
  hook_pay:
    "Pague uma sessão como na [primeira compra]({purchase}). O receptor mostra `order.paid`.",
  hook_repeats:
    "Uma mensagem pode chegar duas vezes e fora de ordem: guarde os ids que já viu e responda " +
    "2xx a uma repetição. Qualquer outra resposta, ou nenhuma em 15 segundos, faz a loja tentar " +
    "de novo por mais de um dia.",
  hook_polling:
    "Sem um túnel, [liste os eventos]({events}): são os mesmos bytes, guardados em ordem, em " +
    "`{address}`.",

  sandbox_intro:
    "O sandbox faz o papel do banco. A página de checkout de uma sessão de teste deixa escolher " +
    "como o pagamento termina; um servidor que envia ele mesmo os pagamentos manda o nome em " +
    "`outcome`. Um nome fora desta lista é recusado.",
  sandbox_outcome: "Resultado",
  sandbox_happens: "O que acontece",
  sandbox_documents: "Documentos de teste",
  sandbox_documents_text:
    "Onde a página pede CPF ou CNPJ, estes têm dígitos verificadores certos e são de teste:",
  sandbox_number: "Número",
  sandbox_kind: "Tipo",
  sandbox_orders:
    "Pedidos de teste têm numeração própria, nunca tocam o estoque real e podem ser apagados " +
    "todos juntos.",

  live_keys:
    "Use chaves de produção. Elas começam com `hk_live_`; uma chave de teste não vê nada que " +
    "seja de produção.",
  live_secret:
    "Guarde a chave secreta no ambiente do seu servidor. Quando uma é vista em um navegador, a " +
    "loja é avisada.",
  live_origins:
    "Registre as origens do seu site e os endereços de retorno. Chaves de produção só aceitam " +
    "https.",
  live_webhooks:
    "Crie um endpoint de webhook para o modo de produção. O segredo dele é outro que o de teste.",
  live_release:
    "Entregue quando chegar `order.paid`, uma vez por id de evento, e pare a entrega quando " +
    "chegar `order.chargeback`.",
  live_idempotency: "Mantenha uma `Idempotency-Key` por compra, em todas as tentativas dela.",
  live_retry:
    "Com 429 e 503, espere o tempo que `Retry-After` diz. Com 500, repita com a mesma chave.",
  live_unknown:
    "Ignore campos, tipos de evento e valores que você não conhece: a v1 pode ganhar outros.",
  live_log: "Escreva o `request_id` no seu log. É por ele que o suporte procura.",
  live_buy:
    "Compre algo barato com um cartão de verdade ou Pix, veja seu pedido ser entregue e " +
    "reembolse-o.",

  changes_intro: "Dentro da v1 só se acrescenta, nada é tirado. As mais novas primeiro:",
};
