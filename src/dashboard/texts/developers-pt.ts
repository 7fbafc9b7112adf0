import type { developersEnglish } from "./developers-en.ts";

/** Keys, addresses, webhooks and alerts. */
export const developersPortuguese: Readonly<Record<keyof typeof developersEnglish, string>> = {
  key: "Chave",
  key_create: "Criar chave",
  key_kind: "Tipo",
  key_kind_hint:
    "Uma chave publicável pode ficar em uma página. Uma secreta fica apenas no servidor.",
  key_publishable: "Publicável",
  key_secret: "Secreta",
  key_name_hint: "Para reconhecê-la depois.",
  key_scopes: "O que ela pode fazer",
  key_scopes_hint: "Sem escolha, pode tudo o que o seu tipo permite.",
  keys_lead: "Sua loja chama a API com elas. Uma chave é mostrada uma vez, ao ser criada.",
  keys_empty_title: "Conecte sua loja",
  keys_empty_text: "Uma loja mostra produtos e abre checkouts com uma chave publicável.",
  key_last_used: "Último uso",
  key_unused_text: "Nenhum uso dela é conhecido.",
  key_in_use_text: "Ela está em uso: uma requisição chegou com ela na última hora.",
  key_used_text: "Último uso: {ago}, com margem de uma hora.",
  key_created_title: "Sua nova chave",
  key_revoke_title: "Revogar {name}?",
  key_revoke_publishable_text:
    "Toda loja que usa a chave terminada em {end} deixa de mostrar produtos e de vender, " +
    "em segundos e para sempre. Coloque outra chave lá antes.",
  key_revoke_secret_text:
    "Todo servidor que usa a chave terminada em {end} perde o acesso, em segundos e para " +
    "sempre. Coloque outra chave lá antes.",
  secret_once: "Copie agora. É mostrado só desta vez, e ninguém pode lê-lo de novo.",
  secret_kept: "Já guardei",
  secret_title: "Seu segredo de assinatura",
  secret: "Segredo",
  secret_new: "Seu receptor verifica com ele que um evento vem desta loja.",
  secret_rotated:
    "Por 24 horas cada evento tem duas assinaturas: deste segredo e do antigo. Coloque " +
    "este no seu receptor nesse prazo.",
  address: "Endereço",
  addresses_none: "Nenhum ainda.",
  origin_title: "Origens",
  origin_text: "Os sites cujas páginas podem chamar a API com uma chave publicável.",
  origin_new: "Permitir uma origem",
  origin_hint: "Como https://loja.exemplo.com",
  return_url_title: "Endereços de retorno",
  return_url_text: "Para onde um comprador pode ser levado depois do checkout.",
  return_url_new: "Permitir um endereço",
  return_url_hint: "Como https://loja.exemplo.com/obrigado",
  endpoint: "Endpoint",
  endpoint_create: "Adicionar endpoint",
  endpoint_url: "Endereço",
  endpoint_url_hint: "Um endereço https:// do seu servidor que recebe eventos.",
  event: "Evento",
  event_types: "Eventos",
  event_types_all: "Todos os eventos",
  event_types_hint: "Todos inclui também eventos de versões futuras.",
  webhooks_empty_title: "Avise o seu software",
  webhooks_empty_text: "Um endpoint é avisado de cada pedido, pagamento e reembolso em segundos.",
  no_transport:
    "Webhooks não podem ser enviados: quem opera este sistema não definiu um transporte.",
  endpoint_test: "Enviar evento de teste",
  endpoint_resend: "Enviar de novo o que perdeu",
  endpoint_resend_text:
    "Escolha os dias dos eventos. O que foi abandonado ou pulado é enviado de novo; o que o " +
    "receptor aceitou, não.",
  endpoint_resend_question: "Enviar {count} entregas de novo? Cada uma recomeça suas tentativas.",
  endpoint_resend_none: "Nada foi abandonado ou pulado nesses dias.",
  endpoint_resend_off: "Este endpoint está desligado. Ative-o antes.",
  endpoint_rotate: "Criar novo segredo",
  endpoint_failing:
    "Nenhum evento foi aceito por três dias, por isso foi desligado. Corrija o receptor, " +
    "envie um evento de teste e ative.",
  deliveries_show: "Mostrar suas entregas",
  test_accepted: "O receptor aceitou o evento de teste: {status} em {ms} ms.",
  test_refused: "O receptor não aceitou o evento de teste: {status} após {ms} ms.",
  endpoint_disable_title: "Desligar este endpoint?",
  endpoint_disable_text:
    "{url} não recebe eventos até você ativar. O que está na fila é pulado e pode ser " +
    "enviado depois.",
  endpoint_rotate_title: "Criar um novo segredo?",
  endpoint_rotate_text:
    "O segredo antigo de {url} também assina por 24 horas, então nada quebra nesse prazo.",
  endpoint_delete_title: "Excluir este endpoint?",
  endpoint_delete_text: "{url} não recebe mais eventos, e o que está na fila nunca é enviado.",
  deliveries_lead: "O que foi enviado aos seus endpoints, do mais novo ao mais antigo.",
  deliveries_empty_title: "Nada foi enviado",
  deliveries_empty_text:
    "Cada evento que um endpoint recebe fica aqui, com cada tentativa e sua resposta.",
  delivery_pending: "Na fila",
  delivery_delivered: "Entregue",
  delivery_exhausted: "Desistido",
  delivery_skipped: "Pulado",
  filter_all: "Todas",
  filter_state: "Situação",
  attempts: "Tentativas",
  attempts_none: "Nenhuma tentativa foi feita ainda.",
  attempt: "Tentativa",
  attempt_title: "Tentativa {number}",
  started_at: "Iniciada em",
  duration: "Durou",
  answer: "Resposta",
  answer_body: "O começo da resposta",
  error: "Erro",
  next_attempt_at: "Próxima tentativa",
  sequence: "Sequência",
  event_type: "Tipo",
  events_lead: "O que aconteceu na loja, o mais novo primeiro, como seus endpoints ficam sabendo.",
  events_empty_title: "Nada aconteceu",
  events_empty_text:
    "Cada mudança de um pedido ou assinatura grava um evento, guardado por um tempo.",
  event_payload: "Conteúdo",
  event_pruned: "É antigo demais: o conteúdo foi apagado.",
  event_not_sent: "Nenhum endpoint recebe este evento.",
  event_curl_title: "Experimente seu receptor",
  event_curl_text:
    "Este comando envia o evento a um receptor na sua máquina. Ele não tem assinatura: deixe o " +
    "receptor pular essa checagem enquanto experimenta.",
  event_curl: "Comando",
  alert_open: "Em aberto",
  alert_done: "Resolvido",
  alert_acknowledge: "Resolvido",
  alert: "Alerta",
  alerts_lead: "O que precisa de atenção, do mais novo ao mais antigo.",
  alerts_empty_title: "Nada com que se preocupar",
  alerts_empty_text:
    "Uma chave vazada, um endpoint com falhas ou um pagamento em dúvida apareceria aqui.",
};
