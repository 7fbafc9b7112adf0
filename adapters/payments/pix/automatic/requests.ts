import type { Subscription } from "#core/contract/schemas.ts";
import { dayMs } from "#core/domain/durations.ts";
import { invalidOption } from "#core/input/option-error.ts";
import { isTaxId } from "#core/pages/texts/tax-id.ts";
import type { Bank } from "../bank.ts";
import { cut, personOf } from "../debtor.ts";
import { BankRefusal } from "../problems.ts";
import { dateOf, readTime } from "../times.ts";
import { subscriptionOf } from "./agreements.ts";
import type { Automatic } from "./options.ts";
import {
  cancelRecurrence,
  isOver,
  isRecurrenceId,
  objectOf,
  periodicityOf,
  priceOf,
  type Recurrence,
  type RecurrenceRequested,
  readRecurrence,
} from "./recurrences.ts";

/** The account of a payer, as their bank knows it. */
export interface PixPayer {
  readonly name: string;
  /** A CPF or CNPJ, with or without punctuation. */
  readonly tax_id: string;
  /** The ISPB of the payer's bank: eight digits or capital letters. */
  readonly ispb: string;
  /** The branch, without its check digit: at most four digits. */
  readonly agencia?: string | undefined;
  /** The number with its check digit, at most 20 characters. */
  readonly conta: string;
}

/** Asks a payer whose account is known for a recurrence. */
export interface RecurrenceRequest {
  readonly store_id: string;
  /** The subscription whose later periods are charged, as `subscriptions.retrieve` gives it. */
  readonly subscription: Subscription;
  readonly payer: PixPayer;
  /** The time until which the payer can answer, in ISO 8601. Default: seven days from now. */
  readonly expires_at?: string | undefined;
}

/** How a recurrence stands that a payer was asked for. */
export interface RequestedRecurrence {
  /** The bank's id of the recurrence: `subscriptions.followAgreement` takes it. */
  readonly reference: string;
  /** The bank's id of the newest request. Null when a kill left none. */
  readonly request_id: string | null;
  /** The library's id of the subscription: `sub_…`. */
  readonly subscription_id: string;
  readonly status:
    | "created"
    | "sent"
    | "received"
    | "accepted"
    | "rejected"
    | "expired"
    | "canceled";
}

const states: Readonly<Record<string, RequestedRecurrence["status"]>> = {
  CRIADA: "created",
  ENVIADA: "sent",
  RECEBIDA: "received",
  ACEITA: "accepted",
  APROVADA: "accepted",
  REJEITADA: "rejected",
  EXPIRADA: "expired",
  CANCELADA: "canceled",
};

const waiting: readonly unknown[] = ["CRIADA", "ENVIADA", "RECEBIDA", "ACEITA"];

/** Tells how a recurrence stands that a payer was asked for. Null stands for any other one. */
export function requestedOf(recurrence: Recurrence): RequestedRecurrence | null {
  const { idRec: reference, status } = recurrence;
  const subscription_id = subscriptionOf(recurrence);
  if (subscription_id === null || !isRecurrenceId(reference)) return null;

  const newest = newestOf(recurrence);
  // The recurrence stays `CRIADA` until the payer answers: only the request tells more.
  const told = status === "CRIADA" && newest ? newest.status : status;
  const state = states[String(told)];
  if (!state) throw new Error(`The bank shows the recurrence ${reference} as ${String(told)}.`);
  const id = newest?.idSolicRec;
  return {
    ...{ reference, subscription_id },
    request_id: typeof id === "string" ? id : null,
    status: state,
  };
}

/** Gives the newest request of a recurrence. One that waits for the payer comes before others. */
function newestOf({ solicitacao }: Recurrence): RecurrenceRequested | undefined {
  const all: readonly RecurrenceRequested[] = Array.isArray(solicitacao) ? solicitacao : [];
  const madeAt = ({ atualizacao }: RecurrenceRequested) => readTime(atualizacao?.[0]?.data) || 0;
  const open = all.find(({ status }) => waiting.includes(status));
  return open ?? all.toSorted((a, b) => madeAt(a) - madeAt(b)).at(-1);
}

interface Asking {
  readonly automatic: Automatic;
  /** In epoch milliseconds. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/**
 * Asks a payer to let a subscription be charged. A call that is repeated, after a kill or a lost
 * answer too, finds the recurrence of the first one by the subscription that it names.
 */
export async function requestRecurrence(
  bank: Bank,
  request: RecurrenceRequest,
  asking: Asking,
): Promise<RequestedRecurrence> {
  const { terms, destinatario, expires } = readRequest(request, asking);
  const { signal } = asking;
  const post = (path: string, body: object) => bank.call({ method: "POST", path, body, signal });

  const known = await findOpen(bank, terms, asking);
  const recurrence = known ?? ((await post("rec", terms)) as Recurrence);
  const idRec = recurrence.idRec;
  if (!isRecurrenceId(idRec))
    throw new Error("The bank made a recurrence whose id cannot be read.");

  let refusal: unknown = null;
  if (recurrence.status === "CRIADA" && !isAsked(recurrence)) {
    const calendario = { dataExpiracaoSolicitacao: new Date(expires).toISOString() };
    // A request whose answer was lost is refused when it is sent again: it is there.
    await post("solicrec", { idRec, calendario, destinatario }).catch((error: unknown) => {
      if (!(error instanceof BankRefusal)) throw error;
      refusal = error;
    });
  }
  const found = await readRecurrence(bank, idRec, { signal });
  const requested = found && requestedOf(found);
  if (!found || !requested) throw new Error(`The bank does not show the recurrence ${idRec}.`);
  if (refusal !== null && !isAsked(found)) throw refusal;
  return requested;
}

const isAsked = (recurrence: Recurrence): boolean => waiting.includes(newestOf(recurrence)?.status);

/** Reads a recurrence that a payer was asked for. Null stands for any other one. */
export async function findRequested(
  bank: Bank,
  idRec: string,
  signal: AbortSignal,
): Promise<RequestedRecurrence | null> {
  const recurrence = isRecurrenceId(idRec) ? await readRecurrence(bank, idRec, { signal }) : null;
  return recurrence && requestedOf(recurrence);
}

/** Names a request and the subscription that it was made for. */
interface RequestName {
  readonly subscription_id: string;
  readonly reference: string;
}

/**
 * Takes a request back, and ends its recurrence. One that is over, or that the bank does not know,
 * is no error. Throws `invalid_option` for a recurrence of another subscription.
 */
export async function withdrawRequested(
  bank: Bank,
  { subscription_id, reference }: RequestName,
  signal: AbortSignal,
): Promise<void> {
  const found = isRecurrenceId(reference)
    ? await readRecurrence(bank, reference, { signal })
    : null;
  if (found === null) return;

  if (subscriptionOf(found) !== subscription_id)
    invalidOption("reference", "must be of a request that was made for the subscription");
  await cancelRecurrence(bank, reference, signal);
}

interface Terms {
  readonly vinculo: {
    readonly contrato: string;
    readonly devedor: { readonly cpf: string } | { readonly cnpj: string };
    readonly objeto: string;
  };
  readonly calendario: { readonly dataInicial: string; readonly periodicidade: string };
  readonly valor: object;
}

/**
 * Finds the recurrence of this subscription and price: one that the payer has accepted, else one
 * that they were asked for, else one that a call made before its answer was lost.
 */
async function findOpen(
  bank: Bank,
  { vinculo, calendario, valor }: Terms,
  { now, signal }: Asking,
): Promise<Recurrence | null> {
  const inicio = new Date(now - longestAgoMs).toISOString();
  const fim = new Date(now + dayMs).toISOString();
  const { contrato, devedor } = vinculo;
  const query = new URLSearchParams({ inicio, fim });
  if ("cpf" in devedor) query.set("cpf", devedor.cpf);
  else query.set("cnpj", devedor.cnpj);
  const path = `rec?${query}`;
  const listed = await bank.call({ method: "GET", path, signal });
  const { recs } = (listed ?? {}) as { readonly recs?: unknown };
  if (!Array.isArray(recs)) throw new Error("The bank gave no list of recurrences.");

  const price = Object.values(valor)[0];
  const isSame = (one: Recurrence): boolean =>
    one.vinculo?.contrato === contrato &&
    !isOver(one) &&
    one.calendario?.periodicidade === calendario.periodicidade &&
    (one.valor?.valorRec ?? one.valor?.valorMinimoRecebedor) === price;
  // A list need not show the requests of a recurrence.
  const read = ({ idRec }: Recurrence) => readRecurrence(bank, String(idRec), { signal });
  const found = await Promise.all(recs.filter(isSame).slice(0, mostRead).map(read));
  const all = found.filter((one) => one !== null);
  return all.find(({ status }) => status === "APROVADA") ?? all.find(isAsked) ?? all[0] ?? null;
}

/** A subscription has one recurrence of a price, and what lost answers have left. */
const mostRead = 10;

/** The time within which an earlier request is looked for. */
const longestAgoMs = 366 * dayMs;
const answerWithinMs = 7 * dayMs;

/** Throws `invalid_option` for what no bank would take. */
function readRequest(
  { subscription, payer, expires_at }: RecurrenceRequest,
  { automatic, now }: Asking,
) {
  const { id, amount, currency, status, product_name, current_period_end } = subscription;
  const periodicidade = periodicityOf(subscription);
  if (currency !== "BRL" || periodicidade === undefined)
    return invalidOption("subscription", "must be of BRL, and of a week or 1, 3, 6 or 12 months");
  if (status === "canceled") return invalidOption("subscription", "must not have ended");

  const expires = expires_at === undefined ? now + answerWithinMs : readTime(expires_at);
  if (!(expires > now))
    return invalidOption("expires_at", "must be a time to come in ISO 8601, with its zone");

  const { devedor, destinatario } = readPayer(payer);
  const start = dateOf(Math.max(now, Date.parse(current_period_end)));
  const terms: Terms & { readonly politicaRetentativa: string } = {
    vinculo: { contrato: id, devedor, objeto: objectOf(product_name) },
    calendario: { dataInicial: start, periodicidade },
    valor: priceOf(automatic, amount),
    politicaRetentativa: automatic.retries,
  };
  return { terms, destinatario, expires };
}

function readPayer({ name, tax_id, ispb, agencia, conta }: PixPayer) {
  const refuse = (field: keyof PixPayer, rule: string) => invalidOption(`payer.${field}`, rule);
  const nome = cut(String(name ?? "").trim(), 140);
  if (nome === "") refuse("name", "must be the payer's name");
  const person = isTaxId(String(tax_id)) ? personOf(tax_id) : null;
  if (!person) return refuse("tax_id", "must be a CPF or CNPJ");
  if (!/^[0-9A-Z]{8}$/.test(String(ispb)))
    refuse("ispb", "must be the ISPB of the payer's bank: eight digits or capital letters");
  if (agencia !== undefined && !/^\w{1,4}$/.test(String(agencia)))
    refuse("agencia", "must be the branch without its check digit: at most four digits");
  if (!/^[\w-]{1,20}$/.test(String(conta)))
    refuse("conta", "must be the account's number with its check digit: at most 20 characters");

  return {
    devedor: { ...person, nome },
    destinatario: {
      ...person,
      ispbParticipante: ispb,
      ...(agencia !== undefined && { agencia }),
      conta,
    },
  };
}
