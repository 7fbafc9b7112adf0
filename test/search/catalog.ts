// Generated products stand around the judged ones. None is what a judged query asks for.

const things = `
  abajur agenda almofada anel apito armário balança banco bandeja barbante bola bolsa bota
  broche caderno caixa cadeira calendário capacete carimbo carteiro cesta chaveiro cinto colar
  colher cortina dado disco espelho estojo faixa ferro flauta fita gaiola garfo garrafa gaveta
  giz gravata isca jarra jogo lanterna lápis lupa luva maleta mapa martelo mesa moldura novelo
  patim pente peteca pincel pires prato prego quadro rede regador rolo sino sofá tapete
  tesoura tinta toalha vaso vela ventilador anchor basket blanket bottle bracelet bucket
  candle carpet chisel compass cushion drawer drill easel fiddle flute funnel hammer hinge
  kettle ladder lantern magnet mirror notebook paddle pencil pillow plate puzzle ribbon ruler
  saddle spoon stapler tablet towel trumpet vase whistle
`
  .trim()
  .split(/\s+/);
const kinds = `
  amarelo antigo branco brilhante cinza claro clássica compacto curto dourado duplo escuro
  especial fino fosco grande infantil largo liso macio marrom médio mini moderno natural novo
  oval pequeno preto prateado redondo resistente roxo rústico simples verde vermelho ancient
  bright broad compact curved double fancy fine flat folded gentle golden heavy hollow large
  light narrow plain polished pretty quiet round rough shiny silver simple slim small smooth
  soft solid square steady sturdy tall tiny vintage wide
`
  .trim()
  .split(/\s+/);
const makers = `
  Aldora Benvinda Carmel Delmar Estrela Fontana Girassol Horizonte Iguatu Jacaranda Kaluanda
  Lumen Marajo Nordeste Oriente Pampa Quirino Riacho Serrano Tamboril Umbria Valverde Xavante
  Zenite
`
  .trim()
  .split(/\s+/);

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/**
 * Gives the names of a catalog in their order: the judged products, spread evenly among generated
 * ones, as many as the count asks for.
 */
export function namesOf(judged: readonly string[], count: number): readonly string[] {
  const distance = Math.floor(count / judged.length);
  return Array.from({ length: count }, (_, index) => {
    // The last product of each stretch is a judged one, so that no search finds it by its position.
    const isJudged = index % distance === distance - 1;
    return (isJudged && judged[Math.floor(index / distance)]) || generatedName(index);
  });
}

function generatedName(index: number): string {
  const kind = Math.floor(index / things.length);
  const maker = Math.floor(kind / kinds.length);
  const name = `${at(things, index)} ${at(kinds, kind)} ${at(makers, maker)}`;
  // Names have words that no other has, as catalogs do: models, and whose they are.
  return index % 3 === 0 ? `${name} ${coinedWord(index)}` : name;
}

/** Makes a word of syllables, another for each number. */
function coinedWord(index: number): string {
  const syllables = "ba ce di fo gu ja ke li mo nu pa re si to vu xa ze bri clo dru".split(" ");
  let word = "";
  for (let rest = index + 20 ** 3; rest > 0; rest = Math.floor(rest / 20))
    word += at(syllables, rest % 20);
  return word;
}
