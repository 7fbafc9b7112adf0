import { fail } from "../../../src/contract/errors.ts";
import { timeOfId } from "../../../src/domain/ids.ts";
import type { GatewayMessage, GatewayNotification } from "../../../src/payments/gateway.ts";
import { fromPixAmount } from "./amounts.ts";
import type { Bank, Charge, Devolution } from "./bank.ts";
import { type Callback, type CallbackOptions, readCallback } from "./callback.ts";
import { isTxid, readCharge } from "./charges.ts";
import { refundIdOf, refundReference, refundStatus } from "./refunds.ts";
import { type Money, moneyOf, paidResult } from "./results.ts";

export interface MessageReader {
  readonly callback: CallbackOptions;
  open(store_id: string): Promise<Bank>;
}

type Facts = readonly GatewayNotification[];

/** A provider's message is answered within 20 s. */
const readWithinMs = 15_000;
const atOnce = 8;

/**
 * Reads a message of the bank. It is a hint: of what it says only the txids are
 * used, and each charge is read from the bank. Throws when it does not come from the
 * bank, and `service_unavailable` when the bank does not answer now.
 */
export async function readMessage(reader: MessageReader, message: GatewayMessage): Promise<Facts> {
  const { store_id, named } = await readCallback(reader.callback, message);
  const txids = [...new Set(named.map(({ txid }) => txid))].filter(isTxid);
  if (txids.length === 0) return [];

  try {
    const bank = await reader.open(store_id);
    const signal = AbortSignal.timeout(readWithinMs);
    const facts: GatewayNotification[] = [];

    for (let at = 0; at < txids.length; at += atOnce) {
      const charges = txids.slice(at, at + atOnce).map((txid) => readCharge(bank, txid, signal));
      for (const charge of await Promise.all(charges)) facts.push(...chargeFacts(charge, named));
      signal.throwIfAborted();
    }
    return facts;
  } catch (cause) {
    return fail("service_unavailable", { cause });
  }
}

/** Null: a charge of another product on the same account, made in another way. */
function chargeFacts(charge: Charge | null, named: Callback["named"]): Facts {
  if (!charge || !isTxid(charge.txid)) return [];

  const { txid } = charge;
  const account = typeof charge.chave === "string" ? charge.chave : null;
  const all = moneyOf(charge);
  for (const { endToEndId, ...one } of named)
    if (one.txid === txid && !all.some((money) => money.endToEndId === endToEndId))
      throw new Error(`The bank does not show the Pix ${endToEndId} of ${txid} yet.`);

  return all.flatMap((money): Facts => {
    const payment_id = `pay_${txid}`;
    const paid: GatewayNotification = {
      ...paidResult(txid, money),
      type: "payment",
      notification_id: `${money.endToEndId}:paid`,
      account,
      // Another product's txid is no id of ours.
      ...(timeOfId("pay", payment_id) !== null && { payment_id }),
    };
    return [paid, ...devolutionsOf(money).flatMap((one) => moneyBack(money, one, account))];
  });
}

const devolutionsOf = ({ pix: { devolucoes } }: Money): readonly Devolution[] =>
  Array.isArray(devolucoes) ? devolucoes : [];

/** One fact for each state of a devolução, so that a repeat has the id of the first. */
function moneyBack(money: Money, devolution: Devolution, account: string | null): Facts {
  const { id, valor, natureza, motivo } = devolution;
  const amount = fromPixAmount(valor);
  if (typeof id !== "string" || amount === null)
    throw new Error("The bank told of a refund whose id or amount cannot be read.");

  const status = refundStatus(devolution);
  const reference = refundReference(money.endToEndId, id);
  const named = { account, reference, payment_reference: money.endToEndId };
  if (isDispute(devolution)) {
    const opened: GatewayNotification = {
      ...named,
      type: "dispute_opened",
      notification_id: `${reference}:opened`,
      amount,
      ...(typeof natureza === "string" && { reason: natureza }),
    };
    if (status === "pending") return [opened];

    const result = status === "succeeded" ? "lost" : "won";
    const closed: GatewayNotification = {
      ...named,
      type: "dispute_closed",
      notification_id: `${reference}:${result}`,
      result,
    };
    return [opened, closed];
  }

  const refund_id = refundIdOf(id);
  return [
    {
      ...named,
      type: "refund",
      notification_id: `${reference}:${status}`,
      status,
      amount,
      currency: "BRL",
      ...(refund_id !== null && { refund_id }),
      ...(status === "failed" && typeof motivo === "string" && { failure_reason: motivo }),
    },
  ];
}

/**
 * The Mecanismo Especial de Devolução takes money back after a fraud or a fault. The
 * kind tells it; banks that leave the kind out begin the id with MED.
 */
function isDispute({ natureza, id, rtrId }: Devolution): boolean {
  if (typeof natureza === "string") return natureza.startsWith("MED");
  return [id, rtrId].some((name) => typeof name === "string" && name.startsWith("MED"));
}
