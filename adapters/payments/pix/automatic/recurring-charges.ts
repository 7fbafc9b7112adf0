import { dayMs, hourMs } from "#core/domain/durations.ts";
import type { SavedChargeRequest } from "#core/payments/gateway/gateway.ts";
import type { PaymentResult } from "#core/payments/gateway/gateway-results.ts";
import { fromPixAmount, toPixAmount } from "../amounts.ts";
import { type Bank, putOrRead } from "../bank.ts";
import { longestText, refused, txidOf } from "../charges.ts";
import { cut } from "../debtor.ts";
import { BankRefusal } from "../problems.ts";
import { dateOf, daysAfter } from "../times.ts";
import { cycleOf, isWithin, madeFrom } from "./cycles.ts";
import { isOver, isRecurrenceId, type Recurrence, readRecurrence } from "./recurrences.ts";
import {
  isRetryLeft,
  type RecurringCharge,
  readRecurring,
  recurringPath,
  recurringResult,
} from "./recurring-results.ts";

/** The days between a charge and its due date: a bank takes no fewer, and no more. */
const fewestDays = 2;
const mostDays = 10;
/** The days after the due date in which a charge may be tried again. */
const retryDays = 7;

/**
 * Charges the next period by its recurrence. A period has one charge (`cobrança recorrente`) at
 * the bank: the first try makes it, and a later try has the bank debit it again.
 */
export async function chargeSaved(
  bank: Bank,
  request: SavedChargeRequest,
  now: number,
): Promise<PaymentResult> {
  const txid = txidOf(request.id);
  if (txid === null || !isRecurrenceId(request.saved_reference))
    return refused(request, "A payment id, or the id of the recurrence, cannot be used.");

  const known = await chargeOfPeriod(bank, request, now);
  const stands = known && recurringResult(known, { now });
  if (stands && stands.status !== "failed") return stands;

  const recurrence = await readRecurrence(bank, request.saved_reference, request);
  const gone = reasonAgainst(recurrence, request);
  if (gone !== null)
    return { ...refused(request, gone), failure_code: "declined", needs_buyer: true };
  if (known) return retry(bank, request, { known, now });
  return create(bank, request, { recurrence: recurrence as Recurrence, now });
}

/** Says why the recurrence does not pay. Null means that it does. */
function reasonAgainst(recurrence: Recurrence | null, { amount }: SavedChargeRequest) {
  if (recurrence === null) return "The bank does not know the recurrence.";
  if (isOver(recurrence) || recurrence.status !== "APROVADA")
    return `The recurrence is ${String(recurrence.status)}.`;

  const fixed = fromPixAmount(recurrence.valor?.valorRec);
  return fixed === null || fixed === amount ? null : "The buyer has authorized another amount.";
}

/**
 * Finds the charge of the period that may still be paid, or tried again. One that the buyer or the
 * bank has refused as a whole gives way to another one. Its text names the period: by its due date
 * a charge that was made late could be that of the period behind it.
 */
async function chargeOfPeriod(
  bank: Bank,
  { saved_reference, period_start, signal }: SavedChargeRequest,
  now: number,
): Promise<RecurringCharge | null> {
  const from = Math.min(period_start, now) - 2 * mostDays * dayMs;
  const charges = await listCharges(bank, { idRec: saved_reference, from, now, signal });
  const name = periodName(period_start);
  const isOfPeriod = ({ infoAdicional }: RecurringCharge): boolean =>
    String(infoAdicional).endsWith(name);
  return charges.find((charge) => isTaken(charge) && isOfPeriod(charge)) ?? null;
}

/** Names a period to its buyer, as Brazil writes dates. */
const periodName = (period_start: number): string =>
  ` (${dateOf(period_start).split("-").reverse().join("/")})`;

/** Says what is paid, and which period of it. */
function textOf({ description, period_start }: SavedChargeRequest): string {
  const name = periodName(period_start);
  return cut(description, longestText - name.length) + name;
}

interface Listing {
  readonly idRec: string;
  /** Charges that were made from this time on, in epoch milliseconds. */
  readonly from: number;
  readonly now: number;
  readonly signal: AbortSignal;
}

async function listCharges(
  bank: Bank,
  { idRec, from, now, signal }: Listing,
): Promise<readonly RecurringCharge[]> {
  const inicio = new Date(from).toISOString();
  const fim = new Date(now + dayMs).toISOString();
  const path = `cobr?${new URLSearchParams({ inicio, fim, idRec })}`;
  const listed = await bank.call({ method: "GET", path, signal });
  const { cobsr } = (listed ?? {}) as { readonly cobsr?: unknown };
  if (!Array.isArray(cobsr)) throw new Error("The bank gave no list of recurring charges.");
  return cobsr;
}

const dueOf = ({ calendario }: RecurringCharge): string => String(calendario?.dataDeVencimento);

/** Tells whether the charge takes its period and its cycle: it is paid, or may still be. */
const isTaken = ({ status, pix }: RecurringCharge): boolean =>
  (pix?.length ?? 0) > 0 || (status !== "REJEITADA" && status !== "CANCELADA");

interface Creation {
  readonly recurrence: Recurrence;
  readonly now: number;
}

/**
 * Makes the charge of a period, due at its start. Where the cycle of that day has a charge already,
 * it is due on the first day of the next one.
 */
async function create(
  bank: Bank,
  request: SavedChargeRequest,
  { recurrence, now }: Creation,
): Promise<PaymentResult> {
  const due = dueDate(request.period_start, now);
  const first = await put(bank, request, { due, now });
  if (!(first instanceof BankRefusal)) return first;

  const later = await freeDay(bank, request, { recurrence, now, due });
  const second = later === due ? first : await put(bank, request, { due: later, now });
  return second instanceof BankRefusal ? refused(request, second.message) : second;
}

interface Due {
  /** The date on which the buyer's bank debits the charge. */
  readonly due: string;
  readonly now: number;
}

/** Makes a charge. A repeat finds the charge of the first call. */
async function put(
  bank: Bank,
  request: SavedChargeRequest,
  { due, now }: Due,
): Promise<PaymentResult | BankRefusal> {
  const { id, amount, saved_reference: idRec, signal } = request;
  const txid = txidOf(id) ?? "";
  const body = {
    idRec,
    infoAdicional: textOf(request),
    calendario: { dataDeVencimento: due },
    valor: { original: toPixAmount(amount) },
    // Pix moves money on every day, so a due date stays the day that the period begins.
    ajusteDiaUtil: false,
    recebedor: bank.bankAccount,
  };
  const made = await putOrRead<RecurringCharge>(bank, recurringPath(txid), { body, signal });
  return made instanceof BankRefusal ? made : recurringResult(made, { now, txid });
}

/** Gives the day itself, or the first day of the next cycle when its cycle has a charge. */
async function freeDay(
  bank: Bank,
  { saved_reference: idRec, signal }: SavedChargeRequest,
  { recurrence, now, due }: Creation & Due,
): Promise<string> {
  const cycle = cycleOf(recurrence, due);
  if (!cycle || cycle.next > daysAfter(dateOf(now), mostDays)) return due;

  const from = Date.parse(madeFrom(cycle, mostDays));
  const charges = await listCharges(bank, { idRec, from, now, signal });
  const isFull = charges.some((charge) => isTaken(charge) && isWithin(cycle, dueOf(charge)));
  return isFull ? cycle.next : due;
}

/**
 * A period that begins late in the evening is due on the next day, so that its last try, which
 * waits for the morning, is within the days of the retries.
 */
const eveningMs = 4 * hourMs;

/** Gives the day on which the period begins, as far as the bank takes it. */
function dueDate(period_start: number, now: number): string {
  const today = dateOf(now);
  const [earliest, latest] = [daysAfter(today, fewestDays), daysAfter(today, mostDays)];
  const begins = dateOf(period_start + eveningMs);
  if (begins < earliest) return earliest;
  return begins > latest ? latest : begins;
}

/** Has the bank debit a charge again that was not paid on its day. */
async function retry(
  bank: Bank,
  request: SavedChargeRequest,
  { known, now }: { readonly known: RecurringCharge; readonly now: number },
): Promise<PaymentResult> {
  const failed = { ...recurringResult(known, { now }), needs_buyer: true };
  const txid = String(known.txid);
  const day = daysAfter(dateOf(now), 1);
  const last = daysAfter(String(known.calendario?.dataDeVencimento), retryDays);
  if (!isRetryLeft(known) || day > last) return failed;

  const { signal } = request;
  try {
    const path = `${recurringPath(txid)}/retentativa/${day}`;
    const asked = await bank.call({ method: "POST", path, signal });
    return recurringResult(asked as RecurringCharge, { now, txid });
  } catch (error) {
    if (!(error instanceof BankRefusal)) throw error;
    // A repeated request finds the try of the first one under way.
    const found = error.of === "request" ? await readRecurring(bank, txid, signal) : null;
    const stands = found && recurringResult(found, { now, txid });
    return stands && stands.status !== "failed" ? stands : failed;
  }
}
