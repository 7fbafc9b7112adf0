import type { PublicErrorCode } from "../../contract/errors.ts";

/** Says in Portuguese what each error means. */
export const meanings: Readonly<Record<PublicErrorCode, string>> = {
  missing_api_key: "Falta o cabeçalho Authorization. Envie `Authorization: Bearer <API_KEY>`.",
  invalid_api_key: "A chave de API está errada ou é de outro ambiente.",
  api_key_revoked: "A chave de API foi revogada. Crie outra.",
  missing_customer_token: "Falta o token do comprador. Envie-o em X-Service-Customer-Token.",
  invalid_customer_token: "O token do comprador não vale para esta loja.",
  customer_token_expired: "O token do comprador venceu. Emita outro.",
  secret_key_in_browser:
    "Uma chave secreta foi usada em um navegador. Revogue-a e use lá uma chave publicável.",
  origin_not_allowed: "A origem da página não está cadastrada nesta loja.",
  headless_disabled: "A API não está ligada para esta loja.",
  insufficient_scope: "A chave de API não tem o escopo desta rota.",
  redirect_url_not_allowed: "O endereço não está registrado como retorno desta loja.",
  product_unavailable: "Um produto da lista não pode ser comprado.",
  insufficient_stock: "Um produto da lista não tem em estoque a quantidade pedida.",
  currency_mismatch: "Os produtos de uma sessão precisam ter a mesma moeda.",
  amount_out_of_range: "O total é maior que o maior valor que se pode cobrar.",
  coupon_invalid: "O cupom não pode ser aplicado.",
  missing_idempotency_key:
    "Falta o cabeçalho Idempotency-Key. Envie um valor por compra, como um UUID.",
  invalid_idempotency_key: "A Idempotency-Key precisa ter de 1 a 255 caracteres ASCII visíveis.",
  parameter_missing: "Falta um parâmetro obrigatório.",
  parameter_invalid: "Um parâmetro tem um valor que não é aceito.",
  parameter_unknown: "A consulta tem um parâmetro que esta rota não conhece.",
  parameter_conflict: "Dois parâmetros se contradizem.",
  invalid_cursor: "O cursor não é desta lista.",
  cursor_expired:
    "Os eventos depois deste cursor já foram apagados. Recomece do evento mais antigo.",
  invalid_json: "O corpo não é JSON válido.",
  license_invalid: "A chave de licença não é desta loja.",
  resource_not_found: "Não existe tal recurso nesta loja.",
  route_not_found: "Não existe tal rota.",
  method_not_allowed: "A rota não aceita este método.",
  request_too_large: "O corpo é maior que 64 KiB.",
  unsupported_media_type:
    "O corpo precisa ser enviado como application/json, sem codificação de conteúdo.",
  idempotency_key_reuse: "A Idempotency-Key foi usada com outro corpo.",
  request_in_progress: "Uma chamada com esta Idempotency-Key ainda está em andamento.",
  session_changed: "A sessão de checkout mudou desde que foi lida.",
  session_not_open: "A sessão de checkout não está aberta.",
  session_expired: "A sessão de checkout venceu.",
  subscription_ended: "A assinatura terminou.",
  license_revoked: "A chave de licença foi retirada.",
  activation_limit_reached: "A chave de licença não tem mais ativações.",
  too_many_attempts: "Falharam pagamentos demais desta sessão de checkout.",
  rate_limit_exceeded: "Chamadas demais. Espere o tempo que Retry-After diz.",
  internal_error: "Algo deu errado do nosso lado.",
  store_maintenance: "A loja está em manutenção.",
  service_unavailable: "O serviço está indisponível por um momento. Tente de novo.",
};

/** Says in Portuguese what to do about the errors that the contract has a remedy for. */
export const advice: Partial<Readonly<Record<PublicErrorCode, string>>> = {
  missing_api_key:
    "Envie o cabeçalho em toda chamada. Só o parâmetro key da consulta não autentica.",
  invalid_api_key:
    "Confira se a chave foi copiada inteira, se é desta instalação e se as chaves de teste e de " +
    "produção não estão trocadas.",
  api_key_revoked: "Crie outra chave no painel e troque a antiga onde quer que seja usada.",
  secret_key_in_browser:
    "A chave agora é pública: revogue-a. Use uma chave publicável em navegadores.",
  origin_not_allowed:
    "Registre a origem da página exatamente como o navegador a envia e acrescente " +
    "?key=<chave publicável> às chamadas do navegador.",
  headless_disabled: "Ligue a API nas configurações da loja.",
  insufficient_scope:
    "Use uma chave com o escopo da rota; pedidos e eventos pedem uma chave secreta.",
  redirect_url_not_allowed:
    "Registre o esquema, o servidor, a porta e o caminho do endereço como retorno; a consulta é " +
    "livre. Com `localhost_origins`, uma chave de teste pode usar todo endereço em " +
    "http://localhost.",
  product_unavailable:
    "Carregue os produtos de novo: um está inativo, bloqueado, apagado ou é de outra loja.",
  insufficient_stock: "Carregue os produtos de novo e diminua a quantidade.",
  coupon_invalid: "Peça o total com POST /coupons/validate antes de criar a sessão.",
  missing_idempotency_key:
    "Crie uma chave por compra, como um UUID, e mantenha-a nas tentativas dessa compra.",
  idempotency_key_reuse:
    "Use outra chave para outra compra; com a mesma chave, repita o mesmo corpo.",
  request_in_progress: "Espere o tempo que Retry-After diz e repita a mesma chamada.",
  session_changed: "Leia a sessão e decida pelo que ela tem agora.",
  session_not_open:
    "Ela está paga, ou um pagamento começou. Comece outro checkout com o que ainda falta.",
  session_expired: "Comece outro checkout com os mesmos itens.",
  subscription_ended: "Comece outro checkout com o mesmo produto.",
  license_invalid: "Confira se a chave foi copiada inteira, e o modo da chave de API.",
  license_revoked: "O pedido dela foi reembolsado ou contestado: o programa não deve continuar.",
  activation_limit_reached: "Desative a chave em outra máquina ou compre mais uma.",
  too_many_attempts: "Comece outro checkout: esta sessão não aceita mais pagamentos.",
  parameter_unknown:
    "Corrija o nome: sem isso, um filtro escrito errado responderia com a lista inteira.",
  invalid_cursor: "Passe em starting_after o next_cursor da mesma lista, com os mesmos filtros.",
  rate_limit_exceeded:
    "Respeite Retry-After. Um endereço de cliente pode criar 10 sessões por minuto e ler cada " +
    "uma 60 vezes.",
  customer_token_expired: "Emita outro token do comprador e repita a chamada.",
  service_unavailable: "Repita a chamada, com a mesma Idempotency-Key, depois de Retry-After.",
  internal_error: "Informe o request_id ao suporte.",
};
