import { foldName, type TableFormat } from "./table.ts";

/** Each column by its name in English, with those that exports have in Portuguese and Spanish. */
const names: Readonly<Record<string, readonly string[]>> = {
  ID: [],
  Type: ["Tipo"],
  SKU: ["REF"],
  Name: ["Nome", "Nombre"],
  Published: ["Publicado"],
  "Visibility in catalog": ["Visibilidade no catálogo", "Visibilidad en el catálogo"],
  "Short description": ["Descrição curta", "Breve descrição", "Descripción corta"],
  Description: ["Descrição", "Descripción"],
  "Date sale price starts": [
    "Data de preço promocional começa em",
    "Data de início da promoção",
    "Día en que empieza el precio rebajado",
  ],
  "Date sale price ends": [
    "Data de preço promocional termina em",
    "Data de fim da promoção",
    "Día en que termina el precio rebajado",
  ],
  "In stock?": [
    "Em estoque?",
    "Em stock?",
    "¿En inventario?",
    "¿Existencias?",
    "¿Hay existencias?",
  ],
  Stock: ["Estoque", "Inventario", "Existencias"],
  "Backorders allowed?": [
    "São permitidas encomendas?",
    "Encomendas permitidas?",
    "¿Permitir reservas de productos agotados?",
    "¿Reservas permitidas?",
  ],
  "Sale price": ["Preço promocional", "Precio rebajado"],
  "Regular price": ["Preço", "Preço normal", "Precio", "Precio normal"],
  Categories: ["Categorias", "Categorías"],
  Images: ["Imagens", "Imágenes"],
  Parent: ["Ascendente", "Pai", "Superior", "Padre"],
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].map((number) => [
      `Attribute ${number} name`,
      [`Nome do atributo ${number}`, `Nombre del atributo ${number}`],
    ]),
  ),
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].map((number) => [
      `Attribute ${number} value(s)`,
      [
        `Valores do atributo ${number}`,
        `Valor(es) do atributo ${number}`,
        `Valor(es) del atributo ${number}`,
        `Valores del atributo ${number}`,
      ],
    ]),
  ),
};

const all = Object.entries(names).flatMap(([column, others]) =>
  [column, ...others].map((name) => [name, column] as const),
);

export const woocommerce: TableFormat = {
  title: "a product export of WooCommerce",
  // In Spanish, the columns `Stock` and `In stock?` have one name but for the question mark.
  columns: new Map([
    ...all.map(([name, column]) => [foldName(name.replaceAll("?", "")), column] as const),
    ...all.map(([name, column]) => [foldName(name), column] as const),
  ]),
  required: ["Type", "Name", "Regular price"],
};

export const woocommerceAmounts = ["Regular price", "Sale price"];
