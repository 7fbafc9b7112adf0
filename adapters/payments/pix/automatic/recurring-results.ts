import type { PaymentResult } from "#core/payments/gateway/gateway-results.ts";
import { fromPixAmount } from "../amounts.ts";
import type { Bank, ReceivedPix } from "../bank.ts";
import { BankRefusal } from "../problems.ts";
import { moneyOf, moneyResult } from "../results.ts";
import { afterDay } from "../times.ts";

/** A recurring charge (`cobrança recorrente`), as `GET /cobr/{txid}` shows it. */
export interface RecurringCharge {
  readonly txid?: unknown;
  /** `CRIADA`, `ATIVA`, `CONCLUIDA`, `EXPIRADA`, `REJEITADA` or `CANCELADA`. */
  readonly status?: unknown;
  readonly infoAdicional?: unknown;
  readonly calendario?: { readonly dataDeVencimento?: unknown };
  readonly valor?: { readonly original?: unknown };
  readonly politicaRetentativa?: unknown;
  readonly tentativas?: readonly Attempt[];
  readonly encerramento?: {
    readonly cancelamento?: { readonly codigo?: unknown };
    readonly rejeicao?: { readonly codigo?: unknown };
  };
  readonly pix?: readonly ReceivedPix[];
}

/** One try of the bank to debit a charge (`tentativa`). */
interface Attempt {
  readonly dataLiquidacao?: unknown;
  /** `NTAG` was asked for after the due date. */
  readonly tipo?: unknown;
  /** `SOLICITADA`, `AGENDADA`, `PAGA`, `CANCELADA`, `REJEITADA` or `EXPIRADA`. */
  readonly status?: unknown;
  readonly rejeicao?: { readonly codigo?: unknown };
}

/** The path of a recurring charge. It is the reference of its payment too. */
export const recurringPath = (txid: string): string => `cobr/${txid}`;

/** Reads the txid from the reference of a recurring charge. Null stands for any other one. */
export const recurringTxid = (reference: string | null): string | null =>
  reference?.startsWith("cobr/") ? reference.slice("cobr/".length) : null;

/** Reads a recurring charge. Null means that the bank has none. */
export const readRecurring = async (
  bank: Bank,
  txid: string,
  signal: AbortSignal,
): Promise<RecurringCharge | null> =>
  (await bank.call({
    method: "GET",
    path: recurringPath(txid),
    signal,
  })) as RecurringCharge | null;

const triesOf = ({ tentativas }: RecurringCharge): readonly Attempt[] =>
  Array.isArray(tentativas) ? tentativas : [];

const endedTries: readonly unknown[] = ["CANCELADA", "REJEITADA", "EXPIRADA"];
const isEnded = ({ status }: Attempt): boolean => endedTries.includes(status);

const mostRetries = 3;

/** Tells whether the bank may be asked to debit a charge again. */
export function isRetryLeft(charge: RecurringCharge): boolean {
  const retries = triesOf(charge).filter(({ tipo }) => tipo === "NTAG");
  const isPermitted = charge.politicaRetentativa !== "NAO_PERMITE";
  return isPermitted && charge.status === "ATIVA" && retries.length < mostRetries;
}

interface Reading {
  /** In epoch milliseconds. */
  readonly now: number;
  /** Left out where the bank has chosen which charge it shows. */
  readonly txid?: string;
  /** Names one Pix of several. */
  readonly paidBy?: string | null;
}

/** Tells how a recurring charge stands. Money that came counts whatever its status is. */
export function recurringResult(
  charge: RecurringCharge,
  { now, txid = String(charge.txid), paidBy = null }: Reading,
): PaymentResult {
  if (charge.txid !== txid) throw new Error(`The bank answered with another charge than ${txid}.`);

  const reference = recurringPath(txid);
  const paid = moneyResult(moneyOf(charge), { reference, paidBy });
  if (paid) return paid;
  if (charge.status === "CONCLUIDA")
    throw new Error(`The bank says that ${reference} is paid, and names no Pix.`);

  const amount = fromPixAmount(charge.valor?.original);
  if (amount === null) throw new Error(`The bank names no amount of ${reference}.`);
  const named = { reference, amount, currency: "BRL" };
  const failure = failureOf(charge);
  if (failure) return { ...named, status: "failed", ...failure };

  const ends = endOf(charge);
  return { ...named, status: "pending", ...(ends > now && { expires_at: ends }) };
}

/** Says why a charge is not paid. Null means that it may still be. */
function failureOf(
  charge: RecurringCharge,
): Pick<PaymentResult, "failure_code" | "decline_code"> | null {
  const { status, encerramento } = charge;
  const tries = triesOf(charge);
  if (status === "CANCELADA")
    return { failure_code: "canceled", ...codeOf(encerramento?.cancelamento?.codigo) };

  // A try that has ended leaves the charge as it is: another one may be asked for.
  const isOver = status === "REJEITADA" || status === "EXPIRADA";
  if (!isOver && (tries.length === 0 || !tries.every(isEnded))) return null;
  const code = encerramento?.rejeicao?.codigo ?? tries.at(-1)?.rejeicao?.codigo;
  return { failure_code: "declined", ...codeOf(code) };
}

const codeOf = (code: unknown): Pick<PaymentResult, "decline_code"> =>
  typeof code === "string" && code !== "" ? { decline_code: code } : {};

/** Gives the time by which the bank has surely told the result of the try that runs. */
function endOf(charge: RecurringCharge): number {
  const running = triesOf(charge).find((one) => !isEnded(one));
  return afterDay(String(running?.dataLiquidacao ?? charge.calendario?.dataDeVencimento));
}

/** Cancels a recurring charge. Undefined means that the bank refuses: its day has come. */
export async function cancelRecurring(
  bank: Bank,
  txid: string,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<PaymentResult | undefined> {
  try {
    const body = { status: "CANCELADA" };
    const path = recurringPath(txid);
    const canceled = await bank.call({ method: "PATCH", path, body, signal });
    return recurringResult(canceled as RecurringCharge, { now, txid });
  } catch (error) {
    if (error instanceof BankRefusal) return undefined;
    throw error;
  }
}
