import type { Text } from "../../domain/plural.ts";
import type { scriptEnglish } from "./script-en.ts";

/** What the script of the documents says, in Portuguese. */
export const scriptPortuguese: Readonly<Record<keyof typeof scriptEnglish, Text>> = {
  copy: "Copiar",
  copied: "Copiado",
  none: "Nada encontrado",
  found: { one: "Encontrado em {count} lugar", other: "Encontrado em {count} lugares" },
  no_index: "Não foi possível carregar a busca.",
  wrong_key:
    "Só uma chave publicável de teste (hk_test_pub_…) é aceita aqui. " +
    "Nunca digite em uma página uma chave secreta ou de produção.",
  sending: "Enviando…",
  answered: "Resposta com {status}",
  no_answer: "Sem resposta: não é possível alcançar a API a partir desta página.",
};
