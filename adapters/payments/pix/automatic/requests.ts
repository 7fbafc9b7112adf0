import type { Subscription } from "#core/contract/schemas.ts";
import { sleep } from "#core/domain/async/sleep.ts";
import { dayMs } from "#core/domain/durations.ts";
import { invalidOption } from "#core/input/option-error.ts";
import { isTaxId } from "#core/pages/texts/tax-id.ts";
import type { Bank } from "../bank.ts";
import { cut, personOf } from "../debtor.ts";
import { BankRefusal } from "../problems.ts";
import { dateOf, readTime } from "../times.ts";
import { subscriptionOf } from "./agreements.ts";
import { findOpen, hasOpen, type Terms } from "./open-recurrences.ts";
import type { Automatic } from "./options.ts";
import {
  cancelRecurrence,
  isOver,
  isRecurrenceId,
  objectOf,
  periodicityOf,
  priceOf,
  type Recurrence,
  readRecurrence,
} from "./recurrences.ts";
import { isAsked, type RequestedRecurrence, requestedOf } from "./requested.ts";

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

interface Asking {
  readonly automatic: Automatic;
  /** In epoch milliseconds. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/**
 * Asks a payer to let a subscription be charged. A call that is repeated, after a kill or a lost
 * answer too, finds the recurrence of the first one by the subscription that it names. Calls at the
 * same time, of several processes too, leave one open request: the surplus is withdrawn, and so is
 * a request of other terms that waits for the payer.
 */
export async function requestRecurrence(
  bank: Bank,
  request: RecurrenceRequest,
  asking: Asking,
): Promise<RequestedRecurrence> {
  const read = readRequest(request, asking);
  for (let tries = 1; ; tries += 1) {
    const asked = await askOnce(bank, read, asking);
    if (asked.status !== "canceled" || tries === mostTries) return asked;

    // Another call has withdrawn this recurrence for its own. With equal terms, that one serves
    // both. With others, a new recurrence would be withdrawn too. Two calls can also withdraw each
    // other's, which leaves none: then this one tries again.
    const { chosen, listed } = await findOpen(bank, read.terms, asking);
    if (chosen) continue;
    if (await hasOpen(bank, listed, asking.signal)) return asked;
    // Two calls that wait equally long would collide again.
    await sleep(Math.random() * pauseMs * tries, asking.signal);
  }
}

const mostTries = 6;
const pauseMs = 100;

async function askOnce(
  bank: Bank,
  { terms, destinatario, expires }: ReturnType<typeof readRequest>,
  asking: Asking,
): Promise<RequestedRecurrence> {
  const { signal } = asking;
  const post = (path: string, body: object) => bank.call({ method: "POST", path, body, signal });

  const { recurrence, surplus } = await findOrMake(bank, terms, asking);
  const idRec = recurrence.idRec;
  if (!isRecurrenceId(idRec))
    throw new Error("The bank made a recurrence whose id cannot be read.");
  for (const other of surplus) await cancelRecurrence(bank, String(other.idRec), signal);

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
  if (refusal !== null && !isAsked(found) && !isOver(found)) throw refusal;
  return requested;
}

/** Gives the recurrence that the payer is asked for, and what is to be withdrawn beside it. */
async function findOrMake(bank: Bank, terms: Terms, { now, signal }: Asking) {
  const { chosen, surplus } = await findOpen(bank, terms, { now, signal });
  if (chosen) return { recurrence: chosen, surplus };

  const path = "rec";
  const made = (await bank.call({ method: "POST", path, body: terms, signal })) as Recurrence;
  // Other calls at the same time have found none either, and each has made a recurrence.
  const open = await findOpen(bank, terms, { now, signal, made });
  const recurrence = open.chosen ?? made;
  // A recurrence that was there before is withdrawn even if the bank's clock shows it as younger.
  const others = new Map([...surplus, ...open.surplus].map((one) => [one.idRec, one]));
  // A bank may leave the terms out of its answer. Ours then looks like one of other terms.
  others.delete(recurrence.idRec);
  return { recurrence, surplus: [...others.values()] };
}

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
 * Withdraws a request and cancels its recurrence. Does nothing when the recurrence is over or the
 * bank does not know it. Throws `invalid_option` for a recurrence of another subscription.
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

const answerWithinMs = 7 * dayMs;

/** Throws `invalid_option` for what no bank would take. */
function readRequest(
  { subscription, payer, expires_at }: RecurrenceRequest,
  { automatic, now }: Asking,
) {
  const { id, amount, currency, status, product_name, current_period_end } = subscription;
  const periodicidade = periodicityOf(subscription);
  if (currency !== "BRL" || periodicidade === undefined)
    return invalidOption(
      "subscription",
      "must be in BRL, with periods of a week or of 1, 3, 6 or 12 months",
    );
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
