import { recurringOperations } from "./automatic/api.ts";
import { addDevolution, brCode, cents, type FakeCharge, heldOf, newLocation } from "./books.ts";
import { type Answer, BankFault, type Call, type Json, type Operation } from "./call.ts";

const dayMs = 86_400_000;

function chargeOf({ books, ids: [txid = ""] }: Call): FakeCharge {
  const charge = books.charges.get(txid);
  if (!charge) throw new BankFault(404, "CobNaoEncontrado", "Cobrança não encontrada.");
  return charge;
}

/** What creating and changing a charge answer with: the money is shown by `GET` alone. */
function shown({ pix: _, ...charge }: FakeCharge): Json {
  return charge;
}

function putCharge(call: Call): Answer {
  const { books, ids, body } = call;
  const [txid = ""] = ids;
  const known = books.charges.get(txid);
  if (known && known.status !== "ATIVA")
    throw new BankFault(400, "CobOperacaoInvalida", "A cobrança já existe e não está ATIVA.");

  const { original } = body["valor"] as { readonly original: string };
  if (cents(original) === 0)
    throw new BankFault(400, "CobOperacaoInvalida", "O campo cob.valor.original é zero.");
  refuseDebtor(body["devedor"]);
  const location = known?.location ?? newLocation();
  const asked = body as Pick<FakeCharge, "valor" | "chave"> & {
    readonly calendario: { readonly expiracao: number };
  };
  const criacao = known?.calendario.criacao ?? new Date(books.now()).toISOString();
  const isSame = known && JSON.stringify(body) === JSON.stringify(known["asked"]);
  const charge: FakeCharge = {
    ...asked,
    calendario: { criacao, expiracao: asked.calendario.expiracao },
    txid,
    revisao: known ? known.revisao + (isSame ? 0 : 1) : 0,
    loc: { id: books.charges.size + 1, location, tipoCob: "cob" },
    location,
    status: "ATIVA",
    pixCopiaECola: brCode(location, original),
    pix: known?.pix ?? [],
  };
  Object.defineProperty(charge, "asked", { value: body, enumerable: false });
  books.charges.set(txid, charge);
  return { status: 201, body: shown(charge) };
}

/** A tax id that is not regular at the Receita. Banks know these; the digits do not show them. */
export const irregularCpf = "11144477735";

function refuseDebtor(devedor: unknown): void {
  if ((devedor as { readonly cpf?: string } | undefined)?.cpf !== irregularCpf) return;

  const razao = "O CPF não está regular.";
  const violations = [{ razao, propriedade: "cob.devedor.cpf" }];
  throw new BankFault(400, "CobOperacaoInvalida", "A cobrança não respeita o schema.", violations);
}

function patchCharge(call: Call): Answer {
  const charge = chargeOf(call);
  if (charge.status !== "ATIVA")
    throw new BankFault(400, "CobOperacaoInvalida", "A cobrança não está ATIVA.");
  charge.status = "REMOVIDA_PELO_USUARIO_RECEBEDOR";
  charge.revisao += 1;
  return { status: 200, body: shown(charge) };
}

function getCharge(call: Call): Answer {
  const charge = chargeOf(call);
  const { pix, ...rest } = charge;
  return { status: 200, body: pix.length > 0 ? { ...rest, pix } : rest };
}

function pixOf({ books, ids: [endToEndId = ""] }: Call) {
  const pix = books.received.get(endToEndId);
  if (!pix) throw new BankFault(404, "PixNaoEncontrado", "Pix não encontrado.");
  return pix;
}

function putDevolution(call: Call): Answer {
  const { books, ids, body } = call;
  const pix = pixOf(call);
  const id = ids[1] ?? "";
  const { valor } = body as { readonly valor: string };
  const refuse = (detail: string) => new BankFault(400, "PixDevolucaoInvalida", detail);

  if (pix.devolucoes.some((one) => one.id === id)) throw refuse("O id já foi utilizado.");
  if (cents(valor) > heldOf(pix)) throw refuse("O valor excede o do Pix.");
  if (books.now() - Date.parse(pix.horario) > 90 * dayMs)
    throw refuse("O prazo de 90 dias acabou.");
  return { status: 201, body: { ...addDevolution(books, pix, { id, valor }) } };
}

function getDevolution(call: Call): Answer {
  const devolution = pixOf(call).devolucoes.find(({ id }) => id === call.ids[1]);
  if (!devolution)
    throw new BankFault(404, "PixDevolucaoNaoEncontrada", "Devolução não encontrada.");
  return { status: 200, body: { ...devolution } };
}

/** The operations of the fake, by the paths of the document, with the scope that each needs. */
const operations: Readonly<Record<string, Operation>> = {
  ...recurringOperations,
  "PUT /cob/{txid}": ["cob.write", putCharge],
  "PATCH /cob/{txid}": ["cob.write", patchCharge],
  "GET /cob/{txid}": ["cob.read", getCharge],
  "GET /pix/{e2eid}": ["pix.read", (call) => ({ status: 200, body: { ...pixOf(call) } })],
  "PUT /pix/{e2eid}/devolucao/{id}": ["pix.write", putDevolution],
  "GET /pix/{e2eid}/devolucao/{id}": ["pix.read", getDevolution],
  "PUT /webhook/{chave}": ["webhook.write", () => ({ status: 200, body: {} })],
};

const routes = Object.entries(operations).map(([name, [scope, run]]) => {
  const [method = "", path = ""] = name.split(" ");
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, "([^/]+)")}$`);
  return { method, path, scope, run, pattern };
});

export interface Route {
  readonly method: string;
  /** The path as the document writes it. */
  readonly path: string;
  readonly scope: string;
  readonly ids: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  run(call: Call): Answer;
}

export function findRoute(method: string, target: string): Route | null {
  const [path = "", search = ""] = target.split("?");
  const query = Object.fromEntries(new URLSearchParams(search));
  for (const route of routes) {
    const match = route.method === method ? route.pattern.exec(path) : null;
    if (match) return { ...route, query, ids: match.slice(1).map(decodeURIComponent) };
  }
  return null;
}
