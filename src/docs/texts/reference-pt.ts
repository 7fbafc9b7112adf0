import type { Text } from "../../domain/plural.ts";
import type { referenceEnglish } from "./reference-en.ts";

/** The words between the parts of the reference, in Portuguese. */
export const referencePortuguese: Readonly<Record<keyof typeof referenceEnglish, Text>> = {
  parameters: "Parâmetros",
  answers: "Respostas",
  body_of: "Corpo",
  body_as: "como",
  key: "Chave",
  scope: "escopo",
  or: "ou",
  and: "e",
  either: "Uma das formas",
  any: "qualquer",
  array_of: "lista de",
  required: "obrigatório",
  optional: "opcional",
  in_path: "caminho",
  in_query: "consulta",
  in_header: "cabeçalho",
  bounds: "de {least} a {most}",
  bounds_of_items: "de {least} a {most} deles",
  at_most_characters: {
    one: "no máximo {count} caractere",
    other: "no máximo {count} caracteres",
  },
  at_most_entries: { one: "no máximo {count} entrada", other: "no máximo {count} entradas" },
  try_it: "Experimentar",
  try_key: "Chave publicável de teste",
  try_send: "Enviar",
  no_try: "Esta chamada pede uma chave secreta ou o token de um comprador: faça-a em um servidor.",
};
