import type { logsEnglish } from "../en/logs-en.ts";
import type { Translated } from "../translated.ts";

/** Holds the texts of the logs: API requests, and what people changed. */
export const logsPortuguese: Translated<typeof logsEnglish> = {
  section_requests: "Requisições",
  section_audit: "Auditoria",
  request: "Requisição",
  requests_lead: "O que as lojas pediram à API, do mais novo ao mais antigo. Sem dados pessoais.",
  requests_search: "Id da requisição",
  requests_search_hint: "Como req_… de uma resposta",
  requests_code: "Erro",
  requests_empty_title: "Nenhuma requisição guardada",
  requests_empty_text:
    "Com a opção requestLog de createStorefront as últimas requisições ficam aqui, cada erro com " +
    "sua solução.",
  request_early: "Antes da rota",
  request_cure: "Como corrigir",
  request_param: "Parâmetro",
  request_limited: "Chamadas além do limite",
  request_limited_calls: {
    one: "{count} chamada, que é esta",
    other: "{count} chamadas, e esta é uma delas",
  },
  request_network: "Rede",
  request_idempotency: "Idempotency-Key",
  request_earlier: "Primeira requisição com essa chave",
  request_different: "Onde o corpo é diferente",
  request_body: "A estrutura do corpo",
  audit_lead: "Quem mudou o quê, do mais novo ao mais antigo.",
  audit_action: "Ação",
  audit_subject: "Sobre",
  audit_what: "O que aconteceu",
  audit_id: "Registro",
  audit_before: "Antes",
  audit_after: "Depois",
  audit_cut: "Longo demais para guardar: {names}",
  audit_withheld: "Guardado sem valor: {names}",
  audit_via_link: "Por um link de {maker}",
  audit_via_mcp: "Por um assistente",
  audit_via_host_link: "Por um link do próprio site",
  audit_empty_title: "Nada foi mudado ainda",
  audit_empty_text: "Cada mudança que alguém faz no painel deixa um registro aqui.",
};
