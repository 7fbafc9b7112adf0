/** The products that the queries are about. Each stands in a catalog of generated ones. */
export const judgedProducts = [
  "Caneca de cerâmica azul",
  "Camiseta básica de algodão",
  "Tênis de corrida leve",
  "Colchão de espuma solteiro",
  "Panela de pressão",
  "Cafeteira elétrica",
  "Açaí em pó orgânico",
  "Pão de queijo congelado",
  "Óculos de sol polarizado",
  "Guarda-chuva automático",
  "Travesseiro de penas",
  "Lençol de casal",
  "Escova de dentes de bambu",
  "Violão clássico",
  "Relógio de parede",
  "Mochila impermeável",
  "Bicicleta dobrável",
  "Cobertor de lã",
  "Fogão portátil",
  "Papel de carta artesanal",
  "Wireless headphones",
  "Mechanical keyboard",
  "Leather wallet",
  "Strawberry jam",
  "Camping tent",
  "Kitchen knife",
  "Bookshelf of oak",
  "Running shorts",
  "Raincoat yellow",
  "Glass teapot",
  "Garden scissors",
  "Toothbrush holder",
] as const;

/** What was typed, and the product that ought to come first. */
export interface JudgedQuery {
  readonly text: string;
  readonly first: (typeof judgedProducts)[number];
  /** `edit` is one wrong letter, or two letters that changed places. */
  readonly kind: "words" | "accents" | "plural" | "edit";
}

const of =
  (kind: JudgedQuery["kind"]) =>
  ([text, first]: readonly [string, JudgedQuery["first"]]): JudgedQuery => ({ text, first, kind });

export const queries: readonly JudgedQuery[] = [
  ...(
    [
      ["caneca de cerâmica", "Caneca de cerâmica azul"],
      ["camiseta algodão", "Camiseta básica de algodão"],
      ["tênis corrida", "Tênis de corrida leve"],
      ["panela de pressão", "Panela de pressão"],
      ["guarda-chuva", "Guarda-chuva automático"],
      ["mochila", "Mochila impermeável"],
      ["escova bambu", "Escova de dentes de bambu"],
      ["headphones wireless", "Wireless headphones"],
      ["keyboard", "Mechanical keyboard"],
      ["knife", "Kitchen knife"],
      ["teapot", "Glass teapot"],
      ["tent", "Camping tent"],
    ] as const
  ).map(of("words")),
  ...(
    [
      ["cafeteira eletrica", "Cafeteira elétrica"],
      ["acai", "Açaí em pó orgânico"],
      ["pao de queijo", "Pão de queijo congelado"],
      ["oculos", "Óculos de sol polarizado"],
      ["lencol", "Lençol de casal"],
      ["violao", "Violão clássico"],
      ["RELOGIO", "Relógio de parede"],
      ["fogao portatil", "Fogão portátil"],
    ] as const
  ).map(of("accents")),
  ...(
    [
      ["colchões", "Colchão de espuma solteiro"],
      ["violões", "Violão clássico"],
      ["pães de queijo", "Pão de queijo congelado"],
      ["lençóis", "Lençol de casal"],
      ["papéis de carta", "Papel de carta artesanal"],
      ["cafeteiras", "Cafeteira elétrica"],
      ["cobertores", "Cobertor de lã"],
      ["fogões", "Fogão portátil"],
      ["wallets", "Leather wallet"],
      ["strawberries", "Strawberry jam"],
      ["knives", "Kitchen knife"],
      ["tents", "Camping tent"],
      ["bookshelves", "Bookshelf of oak"],
      ["raincoats", "Raincoat yellow"],
    ] as const
  ).map(of("plural")),
  ...(
    [
      ["caneka", "Caneca de cerâmica azul"],
      ["cnaeca", "Caneca de cerâmica azul"],
      ["camizeta", "Camiseta básica de algodão"],
      ["camiseta algodao basca", "Camiseta básica de algodão"],
      ["corida", "Tênis de corrida leve"],
      ["colcao", "Colchão de espuma solteiro"],
      ["panella", "Panela de pressão"],
      ["cafetera", "Cafeteira elétrica"],
      ["quejo", "Pão de queijo congelado"],
      ["occulos", "Óculos de sol polarizado"],
      ["travisseiro", "Travesseiro de penas"],
      ["lencoll", "Lençol de casal"],
      ["escova banbu", "Escova de dentes de bambu"],
      ["vilao", "Violão clássico"],
      ["relogoi", "Relógio de parede"],
      ["mochlia", "Mochila impermeável"],
      ["bicicreta", "Bicicleta dobrável"],
      ["cobretor", "Cobertor de lã"],
      ["headfones", "Wireless headphones"],
      ["keybord", "Mechanical keyboard"],
      ["walet", "Leather wallet"],
      ["strawbery", "Strawberry jam"],
      ["kichen", "Kitchen knife"],
      ["runing shorts", "Running shorts"],
      ["raincaot", "Raincoat yellow"],
      ["teapto", "Glass teapot"],
      ["scisors", "Garden scissors"],
      ["toothbruhs", "Toothbrush holder"],
    ] as const
  ).map(of("edit")),
];
