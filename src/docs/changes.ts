/**
 * Lists the changes that callers of the API can notice, the newest first, in each language
 * of the documents. CHANGELOG.md lists the others too.
 */
export const changes = [
  {
    en:
      "The API document has an example of each body, answer and parameter, and an absolute " +
      "address.",
    pt:
      "O documento da API tem um exemplo de cada corpo, resposta e parâmetro, e um endereço " +
      "absoluto.",
  },
  {
    en:
      "A query name that a route does not know is 400 `parameter_unknown`. It was ignored " +
      "before. `utm_…`, `fbclid`, `gclid` and `_` pass.",
    pt:
      "Um nome de consulta que a rota não conhece é 400 `parameter_unknown`. Antes era ignorado. " +
      "`utm_…`, `fbclid`, `gclid` e `_` passam.",
  },
  {
    en:
      "With `localhost_origins` a store takes test keys from every page on localhost, and sends " +
      "their buyers back there.",
    pt:
      "Com `localhost_origins` a loja aceita chaves de teste de toda página em localhost e manda " +
      "os compradores de volta para lá.",
  },
  {
    en: "`{CHECKOUT_SESSION_ID}` in the query of `success_url` and `cancel_url` is replaced.",
    pt: "`{CHECKOUT_SESSION_ID}` na consulta de `success_url` e `cancel_url` é substituído.",
  },
  {
    en: "`GET /orders?checkout_session_id=` finds the order of a session.",
    pt: "`GET /orders?checkout_session_id=` encontra o pedido de uma sessão.",
  },
  {
    en: "The event `order.refund_failed`: a refund that was under way or done has failed.",
    pt: "O evento `order.refund_failed`: um reembolso em andamento ou já feito falhou.",
  },
] as const;
