import { dayMs } from "#core/domain/durations.ts";
import type { Bank } from "../bank.ts";
import { isOver, type Recurrence, readRecurrence } from "./recurrences.ts";
import { isAsked, madeAt, newestOf } from "./requested.ts";

/** What a payer is asked for. */
export interface Terms {
  readonly vinculo: {
    readonly contrato: string;
    readonly devedor: { readonly cpf: string } | { readonly cnpj: string };
    readonly objeto: string;
  };
  readonly calendario: { readonly dataInicial: string; readonly periodicidade: string };
  readonly valor: object;
}

interface Looking {
  /** In epoch milliseconds. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** A recurrence that was made just now. The bank's list may not show it yet. */
  readonly made?: Recurrence;
}

/** The recurrences of a subscription that are not over. */
interface OpenRecurrences {
  /** The one that all calls choose. Null means that none has the terms. */
  readonly chosen: Recurrence | null;
  /**
   * The others that no payer has accepted: those of other terms, and those that calls at the same
   * time have made. One of other terms that is younger than `made` is not in it: its call withdraws
   * `made`. Where the bank's clock cannot order the two, each call withdraws the other's.
   */
  readonly surplus: readonly Recurrence[];
  /** All that the bank's list shows as open, of whatever terms. */
  readonly listed: readonly Recurrence[];
}

/**
 * Finds the open recurrences of a subscription. The bank has no name of ours for a recurrence, so
 * calls at the same time make one each. Each call then chooses among all of them by the same rule:
 * the one that the payer has accepted, else one that the payer was asked for, else the oldest.
 */
export async function findOpen(
  bank: Bank,
  { vinculo, calendario, valor }: Terms,
  { now, signal, made }: Looking,
): Promise<OpenRecurrences> {
  const listed = await listOf(bank, vinculo.devedor, { now, signal });
  const isListed = listed.some(({ idRec }) => idRec === made?.idRec);
  const open = (made && !isListed ? [...listed, made] : listed).filter(
    (one) => one.vinculo?.contrato === vinculo.contrato && !isOver(one),
  );

  const price = Object.values(valor)[0];
  const isSame = (one: Recurrence): boolean =>
    one.calendario?.periodicidade === calendario.periodicidade &&
    (one.valor?.valorRec ?? one.valor?.valorMinimoRecebedor) === price;
  // A list need not show the requests of a recurrence.
  const read = ({ idRec }: Recurrence) => readRecurrence(bank, String(idRec), { signal });
  const found = await Promise.all(open.filter(isSame).slice(0, mostRead).map(read));
  const alive = found.filter((one) => one !== null).filter((one) => !isOver(one));
  const [chosen = null, ...twins] = alive.toSorted(byChoice);

  // Where two calls of different terms make a recurrence each, the later one stays.
  const isBehind = (one: Recurrence): boolean => made !== undefined && madeAt(made) < madeAt(one);
  const others = [...twins, ...open.filter((one) => !isSame(one) && !isBehind(one))];
  const surplus = others.filter(({ status }) => status === "CRIADA");
  return { chosen, surplus, listed: open };
}

/** Tells whether one of these recurrences is still open. The bank's list can be behind. */
export async function hasOpen(
  bank: Bank,
  listed: readonly Recurrence[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const { idRec } of listed) {
    const found = await readRecurrence(bank, String(idRec), { signal });
    if (found && !isOver(found)) return true;
  }
  return false;
}

/** A subscription has one recurrence of a price, and what lost answers have left. */
const mostRead = 10;

/** The time within which an earlier request is looked for. */
const longestAgoMs = 366 * dayMs;

/** A page of a list of the bank. */
interface Page {
  readonly recs?: unknown;
  readonly parametros?: { readonly paginacao?: { readonly quantidadeDePaginas?: unknown } };
}

/** The most pages that are read, whatever number of pages the bank tells. */
const mostPages = 50;

/** Lists the recurrences of a debtor, page by page. */
async function listOf(
  bank: Bank,
  devedor: Terms["vinculo"]["devedor"],
  { now, signal }: Looking,
): Promise<readonly Recurrence[]> {
  const inicio = new Date(now - longestAgoMs).toISOString();
  const fim = new Date(now + dayMs).toISOString();
  const query = new URLSearchParams({ inicio, fim });
  if ("cpf" in devedor) query.set("cpf", devedor.cpf);
  else query.set("cnpj", devedor.cnpj);

  const found: Recurrence[] = [];
  for (let page = 0; page < mostPages; page += 1) {
    if (page > 0) query.set("paginacao.paginaAtual", String(page));
    const listed = await bank.call({ method: "GET", path: `rec?${query}`, signal });
    const { recs, parametros } = (listed ?? {}) as Page;
    if (!Array.isArray(recs)) throw new Error("The bank gave no list of recurrences.");
    found.push(...recs);
    if (!(page + 1 < Number(parametros?.paginacao?.quantidadeDePaginas))) break;
  }
  return found;
}

/** Orders by how far a recurrence has come, and then by its age. */
const byChoice = (one: Recurrence, other: Recurrence): number =>
  stageOf(one) - stageOf(other) || byAge(one, other);

const byAge = (one: Recurrence, other: Recurrence): number =>
  madeAt(one) - madeAt(other) || (String(one.idRec) < String(other.idRec) ? -1 : 1);

function stageOf(recurrence: Recurrence): number {
  if (recurrence.status === "APROVADA") return 0;
  if (newestOf(recurrence)?.status === "ACEITA") return 1;
  return isAsked(recurrence) ? 2 : 3;
}
