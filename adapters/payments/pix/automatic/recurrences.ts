import type { PaymentRequest, RecurringTerms } from "#core/payments/gateway/gateway.ts";
import type { PaymentResult } from "#core/payments/gateway/gateway-results.ts";
import { toPixAmount } from "../amounts.ts";
import type { Bank, Charge } from "../bank.ts";
import { isBrCode, namesRecurrence } from "../br-code.ts";
import { cut } from "../debtor.ts";
import { BankRefusal } from "../problems.ts";
import { dateOf } from "../times.ts";
import type { Automatic } from "./options.ts";

// A recurrence (`recorrência`) is what a buyer authorizes at their bank: later charges of one
// contract. In the Banco Central's journey 3 the code of the first payment carries it.

/** A recurrence, as `GET /rec/{idRec}` shows it. Each field is checked where it is used. */
export interface Recurrence {
  readonly idRec?: unknown;
  /** `CRIADA`, `APROVADA`, `REJEITADA`, `EXPIRADA` or `CANCELADA`. */
  readonly status?: unknown;
  /** `contrato` is the txid of the first payment, or the subscription of a request. */
  readonly vinculo?: { readonly contrato?: unknown };
  readonly calendario?: { readonly dataInicial?: unknown; readonly periodicidade?: unknown };
  readonly valor?: { readonly valorRec?: unknown; readonly valorMinimoRecebedor?: unknown };
  readonly atualizacao?: readonly Update[];
  /** The requests that payers were sent for it. */
  readonly solicitacao?: readonly RecurrenceRequested[];
  readonly loc?: { readonly location?: unknown };
  readonly ativacao?: { readonly dadosJornada?: { readonly txid?: unknown } };
  readonly dadosQR?: { readonly pixCopiaECola?: unknown };
}

/** A change of a status, with its time. */
interface Update {
  readonly status?: unknown;
  readonly data?: unknown;
}

/** A request to a payer's bank (`solicitação`), as the bank shows it. */
export interface RecurrenceRequested {
  readonly idSolicRec?: unknown;
  readonly status?: unknown;
  readonly atualizacao?: readonly Update[];
}

export const label = "Pix Automático";

const periodicities: Readonly<Record<string, string>> = {
  week_1: "SEMANAL",
  month_1: "MENSAL",
  month_3: "TRIMESTRAL",
  month_6: "SEMESTRAL",
  month_12: "ANUAL",
  year_1: "ANUAL",
};

/** Gives the bank's word for a period. Undefined stands for one that cannot be authorized. */
export const periodicityOf = ({
  interval,
  interval_count,
}: Pick<RecurringTerms, "interval" | "interval_count">): string | undefined =>
  periodicities[`${interval}_${interval_count}`];

/** The states from which a recurrence never pays again. */
const over: readonly unknown[] = ["REJEITADA", "EXPIRADA", "CANCELADA"];

export const isOver = ({ status }: Recurrence): boolean => over.includes(status);

/**
 * Gives the id of the recurrence that the charge carries, and null for a plain one. The charge
 * itself names it, so that every look-up of the charge finds it.
 */
export function recurrenceOf({ infoAdicionais }: Charge): string | null {
  const named = (Array.isArray(infoAdicionais) ? infoAdicionais : []).find(
    (one: { readonly nome?: unknown } | null) => one?.nome === label,
  ) as { readonly valor?: unknown } | undefined;
  return isRecurrenceId(named?.valor) ? named.valor : null;
}

export const isRecurrenceId = (text: unknown): text is string =>
  typeof text === "string" && /^[a-zA-Z0-9]{29}$/.test(text);

/** What a charge says of the recurrence that it carries. Its payer reads it. */
export const carrying = (idRec: string): object => ({
  infoAdicionais: [{ nome: label, valor: idRec }],
});

/** What a recurrence costs: exactly so much, or no less than so much. */
export const priceOf = ({ amounts }: Automatic, amount: number): object => {
  const text = toPixAmount(amount);
  return amounts === "fixed" ? { valorRec: text } : { valorMinimoRecebedor: text };
};

/** What the buyer's bank shows of what is paid. */
export const objectOf = (name: string): string => cut(name, 35);

interface NewRecurrence {
  readonly txid: string;
  readonly automatic: Automatic;
  readonly debtor: object;
  /** In epoch milliseconds. */
  readonly now: number;
}

/**
 * Makes a recurrence for the charge of a first payment. Null means that the request asks for
 * none, or for a period that Pix Automático does not know. A call that is repeated after a lost
 * answer leaves one that no code carries: nobody can authorize it, and the bank lets it expire.
 */
export async function createRecurrence(
  bank: Bank,
  { recurring, save, line_items, signal }: PaymentRequest,
  { txid, automatic, debtor, now }: NewRecurrence,
): Promise<string | null> {
  if (!save || !recurring) return null;
  const periodicidade = periodicityOf(recurring);
  if (periodicidade === undefined) return null;

  const post = (path: string, body: object) => bank.call({ method: "POST", path, body, signal });
  const { id: loc } = (await post("locrec", { tipo: "rec" })) as { readonly id?: unknown };
  const made = (await post("rec", {
    vinculo: { contrato: txid, ...debtor, objeto: objectOf(line_items[0]?.name ?? txid) },
    calendario: { dataInicial: dateOf(Math.max(now, recurring.next_period_start)), periodicidade },
    valor: priceOf(automatic, recurring.amount),
    politicaRetentativa: automatic.retries,
    loc,
    ativacao: { dadosJornada: { txid } },
  })) as Recurrence;
  if (isRecurrenceId(made.idRec)) return made.idRec;
  throw new Error("The bank made a recurrence whose id cannot be read.");
}

/** Reads a recurrence, with the code of the charge that is named. Null means that there is none. */
export const readRecurrence = async (
  bank: Bank,
  idRec: string,
  { txid, signal }: { readonly txid?: string; readonly signal: AbortSignal },
): Promise<Recurrence | null> => {
  const path = `rec/${idRec}${txid === undefined ? "" : `?txid=${txid}`}`;
  return (await bank.call({ method: "GET", path, signal })) as Recurrence | null;
};

/**
 * Adds what its recurrence brings to the result of a charge. Before the payment, that is one code
 * for the charge and the recurrence. After the payment, it is the saved method. The result does not
 * wait for the authorization, because the bank may report the payment first. Nothing is added for a
 * recurrence that was refused, or that the bank does not show.
 */
export async function withRecurrence(
  bank: Bank,
  { charge, result, signal }: CarryingCharge,
): Promise<PaymentResult> {
  const idRec = recurrenceOf(charge);
  const { next_action, ...rest } = result;
  const isPayable = next_action?.type === "qr_code";
  if (idRec === null || (result.status !== "succeeded" && !isPayable)) return result;

  const txid = result.reference;
  const recurrence = await readRecurrence(bank, idRec, isPayable ? { txid, signal } : { signal });
  if (isPayable) {
    if (recurrence === null) throw new Error(`The bank does not show the recurrence ${idRec}.`);
    // Without its text the storefront drops the action, and reports it.
    const code = composedCode(recurrence, result.amount);
    return { ...rest, next_action: { ...next_action, text: code } };
  }
  // Money that came counts, whatever became of the recurrence.
  if (recurrence === null || isOver(recurrence)) return result;
  return { ...result, saved_method: { reference: idRec, kind: "pix", label } };
}

interface CarryingCharge {
  readonly charge: Charge;
  readonly result: PaymentResult;
  readonly signal: AbortSignal;
}

/** Gives the code of the payment and of the recurrence. A code that lacks one of them is empty. */
function composedCode({ dadosQR, loc }: Recurrence, amount: number): string {
  const code = dadosQR?.pixCopiaECola;
  return isBrCode(code, amount) && namesRecurrence(code, loc?.location) ? code : "";
}

/** Cancels a recurrence. One that the bank does not know, or that is over, is no error. */
export async function cancelRecurrence(
  bank: Bank,
  idRec: string,
  signal: AbortSignal,
): Promise<void> {
  if (!isRecurrenceId(idRec)) return;
  try {
    const body = { status: "CANCELADA" };
    await bank.call({ method: "PATCH", path: `rec/${idRec}`, body, signal });
  } catch (error) {
    if (!(error instanceof BankRefusal) || error.of !== "request") throw error;
    const left = await readRecurrence(bank, idRec, { signal });
    if (left !== null && !isOver(left)) throw error;
  }
}
