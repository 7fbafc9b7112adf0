import type { PaymentResult } from "#core/payments/gateway/gateway-results.ts";
import { fromPixAmount } from "./amounts.ts";
import type { Charge, ReceivedPix } from "./bank.ts";
import { isBrCode } from "./br-code.ts";
import { readTime } from "./times.ts";

/** Money that came and passed every check. */
export interface Money {
  readonly endToEndId: string;
  /** In minor units. */
  readonly amount: number;
  readonly pix: ReceivedPix;
}

/**
 * Tells how a charge stands. Money that came counts whatever the charge's status
 * is: a Pix can be on its way while the charge is removed. `asked` stands in for
 * the amount that the bank should have repeated; `paidBy` names one Pix of several.
 */
export function chargeResult(
  charge: Charge,
  { txid, now, asked, paidBy = null }: ChargeReading,
): PaymentResult {
  if (charge.txid !== txid) throw new Error(`The bank answered with another charge than ${txid}.`);

  const paid = moneyResult(moneyOf(charge), { reference: txid, paidBy });
  if (paid) return paid;
  // Without its id the same money would count as a second payment later.
  if (charge.status === "CONCLUIDA")
    throw new Error(`The bank says that ${txid} is paid, and names no Pix.`);

  const original = fromPixAmount(charge.valor?.original) ?? asked;
  if (original === null) throw new Error(`The bank names no amount of the charge ${txid}.`);

  const named = { reference: txid, amount: original, currency: "BRL" };
  const ends = endOf(charge);
  const isRemoved = typeof charge.status === "string" && charge.status.startsWith("REMOVIDA_");
  if (isRemoved) {
    const isLate = charge.status === "REMOVIDA_PELO_PSP" && ends !== null && ends <= now;
    return { ...named, status: "failed", failure_code: isLate ? "expired" : "canceled" };
  }
  return { ...named, status: "pending", ...payable(charge, { amount: original, ends, now }) };
}

interface ChargeReading {
  readonly txid: string;
  /** In epoch milliseconds. */
  readonly now: number;
  readonly asked: number | null;
  readonly paidBy?: string | null;
}

interface Paying {
  /** The reference of the charge. */
  readonly reference: string;
  /** Names one Pix of several. */
  readonly paidBy: string | null;
}

/** Gives the result of a charge that money came for, and null when none did. */
export function moneyResult(
  money: readonly Money[],
  { reference, paidBy }: Paying,
): PaymentResult | null {
  const paid = paidBy === null ? money[0] : money.find((one) => one.endToEndId === paidBy);
  if (!paid) {
    if (paidBy === null) return null;
    throw new Error(`The bank names no Pix ${paidBy} of the charge ${reference}.`);
  }

  const others = money.filter((one) => one !== paid);
  const also_received = others.map(({ endToEndId: payment_reference, amount }) => ({
    payment_reference,
    amount,
  }));
  return { ...paidResult(reference, paid), ...(others.length > 0 && { also_received }) };
}

export const paidResult = (reference: string, { endToEndId, amount }: Money): PaymentResult => ({
  status: "succeeded",
  reference,
  payment_reference: endToEndId,
  amount,
  currency: "BRL",
});

/**
 * Gives the money of a charge: a Pix of the amount that was asked for before any other, then the
 * earliest first, so that the first one stays the first.
 */
export function moneyOf({ pix, valor: asked }: Pick<Charge, "pix" | "valor">): readonly Money[] {
  const original = fromPixAmount(asked?.original);
  const money = (Array.isArray(pix) ? pix : []).map((one: ReceivedPix): Money => {
    const { endToEndId, valor } = one ?? {};
    const amount = fromPixAmount(valor);
    if (amount === null || typeof endToEndId !== "string" || endToEndId === "")
      throw new Error("The bank told of a Pix whose id or amount cannot be read.");
    return { endToEndId, amount, pix: one };
  });
  const order = ({ amount, pix: { horario }, endToEndId }: Money) =>
    `${amount === original ? 0 : 1} ${horario} ${endToEndId}`;
  return money.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** Gives the code that the buyer pays, and until when. A charge stays `ATIVA` after its end. */
function payable(
  { pixCopiaECola }: Charge,
  { amount, ends, now }: { amount: number; ends: number | null; now: number },
): Pick<PaymentResult, "next_action" | "expires_at"> {
  if (ends !== null && ends <= now) return { expires_at: ends };

  // The storefront drops an action without a text, and reports it.
  const text = isBrCode(pixCopiaECola, amount) ? pixCopiaECola : "";
  return {
    next_action: { type: "qr_code", text, expires_at: ends },
    ...(ends !== null && { expires_at: ends }),
  };
}

/**
 * Gives the end of a charge in epoch milliseconds, and null when the bank's times
 * cannot be read.
 */
function endOf({ calendario }: Charge): number | null {
  const ends = readTime(calendario?.criacao) + Number(calendario?.expiracao) * 1000;
  return Number.isSafeInteger(ends) ? ends : null;
}
