import { timeOfId } from "#core/domain/keys/ids.ts";
import type { PaymentQuery, PaymentRequest } from "#core/payments/gateway/gateway.ts";
import type { PaymentResult } from "#core/payments/gateway/gateway-results.ts";
import { toPixAmount } from "./amounts.ts";
import type { Automatic } from "./automatic/options.ts";
import {
  cancelRecurrence,
  carrying,
  createRecurrence,
  recurrenceOf,
  withRecurrence,
} from "./automatic/recurrences.ts";
import {
  cancelRecurring,
  readRecurring,
  recurringResult,
  recurringTxid,
} from "./automatic/recurring-results.ts";
import { type Bank, type Charge, putOrRead } from "./bank.ts";
import { cut, debtor, isAboutDebtor } from "./debtor.ts";
import { BankRefusal } from "./problems.ts";
import { chargeResult } from "./results.ts";

export const longestText = 140;
const longestName = 200;
const longestNameOfRecurrence = 140;

/**
 * Gives the `txid` of a payment: our id without its prefix. It gives null when the
 * API takes no such id.
 */
export function txidOf(payment_id: string): string | null {
  const txid = payment_id.replace(/^pay_/, "");
  return isTxid(txid) ? txid : null;
}

export const isTxid = (text: unknown): text is string =>
  typeof text === "string" && /^[a-zA-Z0-9]{26,35}$/.test(text);

/** What the calls of charges take beside the request. */
export interface ChargeOptions {
  /** In epoch milliseconds. */
  readonly now: number;
  /** Null when the host has not switched Pix Automático on. */
  readonly automatic: Automatic | null;
}

/** Makes a charge, or finds the one that an earlier call has made under the same id. */
export async function createPayment(
  bank: Bank,
  request: PaymentRequest,
  { now, automatic }: ChargeOptions,
): Promise<PaymentResult> {
  const { id, amount, signal } = request;
  const txid = txidOf(id);
  if (txid === null)
    return refused(request, "A payment id must have 26 to 35 letters and digits after pay_.");

  const carried = automatic ? await carriedBy(bank, request, { txid, automatic, now }) : null;
  if (carried instanceof BankRefusal) return refused(request, carried.message);

  const charge = chargeBody(bank, request, now);
  const buyer = debtor(request, longestName);
  const put = (body: object) => putOrRead<Charge>(bank, pathOf(txid), { body, signal });
  const first = await put({ ...charge, ...buyer, ...(carried !== null && carrying(carried)) });
  const isBuyerRefused = first instanceof BankRefusal && buyer !== null && isAboutDebtor(first);
  const answer = isBuyerRefused ? await put(charge) : first;
  if (answer instanceof BankRefusal) return refused(request, answer.message);

  const result = chargeResult(answer, { txid, now, asked: amount });
  return automatic ? withRecurrence(bank, { charge: answer, result, signal }) : result;
}

interface Carrying extends ChargeOptions {
  readonly txid: string;
  readonly automatic: Automatic;
}

/**
 * Gives the id of the recurrence that the charge is to carry: that of an earlier call, or a new
 * one. Without a buyer whom the bank knows by name and tax id the charge is a plain one.
 */
async function carriedBy(
  bank: Bank,
  request: PaymentRequest,
  { txid, automatic, now }: Carrying,
): Promise<string | null | BankRefusal> {
  const buyer = debtor(request, longestNameOfRecurrence);
  if (!request.save || buyer === null) return null;

  const known = await readCharge(bank, txid, request.signal);
  if (known) return recurrenceOf(known);
  try {
    return await createRecurrence(bank, request, { txid, automatic, debtor: buyer, now });
  } catch (error) {
    if (!(error instanceof BankRefusal)) throw error;
    return isAboutDebtor(error) ? null : error;
  }
}

/** Says that nothing is charged. Our own id stands as the reference. */
export const refused = (
  { id, amount, currency }: Pick<PaymentRequest, "id" | "amount" | "currency">,
  failure_reason: string,
): PaymentResult => ({
  status: "failed",
  reference: txidOf(id) ?? id,
  amount,
  currency,
  failure_code: "error",
  failure_reason,
});

function chargeBody({ pixKey }: Bank, request: PaymentRequest, now: number): object {
  const { id, amount, description, expires_at } = request;
  // The time of the id makes a repeated request equal to the first one.
  const begun = timeOfId("pay", id) ?? now;

  return {
    calendario: { expiracao: Math.max(60, Math.ceil((expires_at - begun) / 1000)) },
    valor: { original: toPixAmount(amount), modalidadeAlteracao: 0 },
    chave: pixKey,
    solicitacaoPagador: cut(description, longestText),
  };
}

/** Asks the bank how a payment stands. Null means that the bank has no such charge. */
export async function getPayment(
  bank: Bank,
  { id, reference, payment_reference: paidBy, signal }: PaymentQuery,
  { now, automatic }: ChargeOptions,
): Promise<PaymentResult | null> {
  const recurring = recurringTxid(reference);
  const txid = recurring ?? reference ?? txidOf(id);
  if (!isTxid(txid)) return null;

  const charge = recurring === null ? await readCharge(bank, txid, signal) : null;
  if (charge) {
    const result = chargeResult(charge, { txid, now, asked: null, paidBy });
    return automatic ? withRecurrence(bank, { charge, result, signal }) : result;
  }
  // A charge whose answer was lost may be of either kind.
  const isPlain = automatic === null || (reference !== null && recurring === null);
  const found = isPlain ? null : await readRecurring(bank, txid, signal);
  return found && recurringResult(found, { txid, now, paidBy });
}

/** Removes a charge. Undefined means that the bank refuses, so `getPayment` says how it stands. */
export async function cancelPayment(
  bank: Bank,
  { id, reference, signal }: PaymentQuery,
  { now, automatic }: ChargeOptions,
): Promise<PaymentResult | undefined> {
  const recurring = recurringTxid(reference);
  const txid = recurring ?? reference ?? txidOf(id);
  if (!isTxid(txid)) return undefined;
  if (recurring !== null) return cancelRecurring(bank, txid, { now, signal });

  const body = { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" };
  try {
    const call = { method: "PATCH", path: pathOf(txid), body, signal } as const;
    const removed = (await bank.call(call)) as Charge;
    const idRec = automatic ? recurrenceOf(removed) : null;
    if (idRec !== null) await cancelRecurrence(bank, idRec, signal);
    return chargeResult(removed, { txid, now, asked: null });
  } catch (error) {
    if (error instanceof BankRefusal) return undefined;
    throw error;
  }
}

const pathOf = (txid: string): string => `cob/${txid}`;

/** Reads a charge. Null means that the bank has none. */
export const readCharge = async (
  bank: Bank,
  txid: string,
  signal: AbortSignal,
): Promise<Charge | null> =>
  (await bank.call({ method: "GET", path: pathOf(txid), signal })) as Charge | null;
