import type { Text } from "../../domain/plural.ts";
import type { frameEnglish } from "./frame-en.ts";

/** The texts around each page of the documents, in Portuguese. */
export const framePortuguese: Readonly<Record<keyof typeof frameEnglish, Text>> = {
  skip: "Ir para o conteúdo",
  contents: "Conteúdo",
  start: "API",
  errors: "Erros",
  samples_in: "Exemplos em",
  search: "Buscar na documentação",
  other_language: "English",
  guides: "Guias",
  reference: "Referência",
  webhooks: "Webhooks",
  schemas: "Esquemas",
  error_reference: "Referência de erros",
  copy: "Copiar",
  example: "Exemplo",
  answer: "Resposta",
  body: "Corpo",
  every_page: "Todas as páginas e o que há em cada uma",
  whole_api:
    "A API inteira em dados: [OpenAPI 3.1]({openapi}), que o Postman e geradores de código " +
    "importam. Para JavaScript e TypeScript há um cliente tipado em `vitrine/client`, que repete " +
    "a chamada que falhou e percorre as páginas das listas.",
  base_address: "Endereço base",
  api_title: "API da loja",
  webhooks_text:
    "O que a loja avisa ao seu servidor, em mensagens assinadas. Cada evento " +
    "chega ao menos uma vez.",
  schemas_text: "Os objetos que as chamadas recebem e que as respostas trazem.",
  event_schemas: "Esquemas de eventos",
  event_schemas_text: "Os corpos dos webhooks, que são os mesmos dos eventos de uma lista.",
  errors_text: "Decida por `error.code`; as mensagens podem mudar.",
};
