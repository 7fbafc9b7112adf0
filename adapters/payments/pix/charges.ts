import { timeOfId } from "#core/domain/keys/ids.ts";
import type { PaymentQuery, PaymentRequest } from "#core/payments/gateway/gateway.ts";
import type { PaymentResult } from "#core/payments/gateway/gateway-results.ts";
import { toPixAmount } from "./amounts.ts";
import type { Bank, Charge } from "./bank.ts";
import { BankRefusal } from "./problems.ts";
import { chargeResult } from "./results.ts";

export const longestText = 140;
const longestName = 200;

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

/** Makes a charge, or finds the one that an earlier call has made under the same id. */
export async function createPayment(
  bank: Bank,
  request: PaymentRequest,
  now: number,
): Promise<PaymentResult> {
  const { id, amount, signal } = request;
  const txid = txidOf(id);
  if (txid === null)
    return refused(request, "A payment id must have 26 to 35 letters and digits after pay_.");

  const charge = chargeBody(bank, request, now);
  const buyer = debtor(request);
  const put = (body: object) => putCharge(bank, txid, { body, signal });
  const first = await put({ ...charge, ...buyer });
  const isBuyerRefused = first instanceof BankRefusal && buyer !== null && isAboutDebtor(first);
  const answer = isBuyerRefused ? await put(charge) : first;

  return answer instanceof BankRefusal
    ? refused(request, answer.message)
    : chargeResult(answer, { txid, now, asked: amount });
}

interface PutCharge {
  readonly body: object;
  readonly signal: AbortSignal;
}

/** Gives the charge that the bank has after the request, or the refusal when it has none. */
async function putCharge(
  bank: Bank,
  txid: string,
  { body, signal }: PutCharge,
): Promise<Charge | BankRefusal> {
  try {
    return (await bank.call({ method: "PUT", path: pathOf(txid), body, signal })) as Charge;
  } catch (error) {
    if (!(error instanceof BankRefusal)) throw error;
    if (error.of !== "request") return error;

    // A charge that is over is not made again: the bank refuses, and has the earlier one.
    return (await readCharge(bank, txid, signal)) ?? error;
  }
}

/** Tells whether the bank refuses the buyer's name or tax id: a charge needs neither. */
const isAboutDebtor = ({ fields, message }: BankRefusal): boolean =>
  /devedor|\bcpf\b|\bcnpj\b/i.test([...fields, message].join(" "));

/** Says that nothing can be paid. Our own id stands as the reference. */
const refused = (
  { id, amount, currency }: PaymentRequest,
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

/**
 * Gives the buyer's fields. Banks take a name only with a tax id, and a tax id only
 * with a name.
 */
function debtor({ customer }: PaymentRequest): object | null {
  const nome = cut(customer.name?.trim() ?? "", longestName);
  const id = (customer.tax_id ?? "").replace(/[^0-9A-Za-z]/g, "").toUpperCase();
  if (nome === "") return null;

  if (/^\d{11}$/.test(id)) return { devedor: { cpf: id, nome } };
  return /^[0-9A-Z]{12}\d{2}$/.test(id) ? { devedor: { cnpj: id, nome } } : null;
}

/** Cuts between characters, never inside one. */
const cut = (text: string, length: number): string => [...text].slice(0, length).join("");

/** Asks the bank how a payment stands. Null means that the bank has no such charge. */
export async function getPayment(
  bank: Bank,
  { id, reference, payment_reference, signal }: PaymentQuery,
  now: number,
): Promise<PaymentResult | null> {
  const txid = reference ?? txidOf(id);
  const charge = isTxid(txid) ? await readCharge(bank, txid, signal) : null;
  if (!charge || !isTxid(txid)) return null;
  return chargeResult(charge, { txid, now, asked: null, paidBy: payment_reference });
}

/** Removes a charge. Undefined means that the bank refuses, so `getPayment` says how it stands. */
export async function cancelPayment(
  bank: Bank,
  query: PaymentQuery,
  now: number,
): Promise<PaymentResult | undefined> {
  const txid = query.reference ?? txidOf(query.id);
  if (!isTxid(txid)) return undefined;

  const body = { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" };
  const { signal } = query;
  try {
    const removed = await bank.call({ method: "PATCH", path: pathOf(txid), body, signal });
    return chargeResult(removed as Charge, { txid, now, asked: null });
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
