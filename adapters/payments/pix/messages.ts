import { fail } from "#core/contract/errors.ts";
import { timeOfId } from "#core/domain/keys/ids.ts";
import type { GatewayMessage } from "#core/payments/gateway/gateway-message.ts";
import type { GatewayNotification } from "#core/payments/gateway/gateway-results.ts";
import { fromPixAmount } from "./amounts.ts";
import type { Bank, Devolution } from "./bank.ts";
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
 * Reads a message of the bank. The message is only a hint: the gateway uses its
 * txids alone, and reads each charge from the bank. A charge that the bank does not
 * show now becomes an `unread` fact, and the other charges are still reported.
 * Throws when the message does not come from the bank, and `service_unavailable`
 * when the account cannot be opened.
 */
export async function readMessage(reader: MessageReader, message: GatewayMessage): Promise<Facts> {
  const { store_id, named } = await readCallback(reader.callback, message);
  const txids = [...new Set(named.map(({ txid }) => txid))].filter(isTxid);
  if (txids.length === 0) return [];

  const unavailable = (cause: unknown) => fail("service_unavailable", { cause });
  const bank = await reader.open(store_id).catch(unavailable);
  const signal = AbortSignal.timeout(readWithinMs);
  const facts: GatewayNotification[] = [];

  for (let at = 0; at < txids.length; at += atOnce) {
    const some = txids.slice(at, at + atOnce);
    const read = some.map((txid) => readOne(bank, { txid, named, signal }));
    facts.push(...(await Promise.all(read)).flat());
  }
  return facts;
}

interface Named {
  readonly txid: string;
  readonly named: Callback["named"];
  readonly signal: AbortSignal;
}

async function readOne(bank: Bank, { txid, named, signal }: Named): Promise<Facts> {
  try {
    signal.throwIfAborted();
    const charge = await readCharge(bank, txid, signal);
    // Another product on the same account made the charge in another way.
    if (charge === null) return [];
    if (charge.txid !== txid)
      throw new Error(`The bank answered with another charge than ${txid}.`);

    const account = typeof charge.chave === "string" ? charge.chave : bank.pixKey;
    const all = moneyOf(charge);
    // If the bank leaves out the id of the Pix, any money of the charge matches.
    const isShown = ({ endToEndId }: Callback["named"][number]): boolean =>
      all.some((money) => endToEndId === null || money.endToEndId === endToEndId);
    const missing = named.filter((one) => one.txid === txid && !isShown(one));
    return [
      ...all.flatMap((money) => moneyFacts(money, { txid, account })),
      ...missing.map(({ endToEndId }) =>
        unread(
          txid,
          new Error(`The bank does not show the Pix ${endToEndId ?? ""} of ${txid} yet.`),
        ),
      ),
    ];
  } catch (cause) {
    return [unread(txid, cause)];
  }
}

const unread = (name: string, cause: unknown): GatewayNotification => ({
  type: "unread",
  notification_id: `${name}:unread`,
  cause,
});

/** Gives the facts of money that came, and of the parts of it that are sent back. */
function moneyFacts(
  money: Money,
  { txid, account }: { readonly txid: string; readonly account: string },
): Facts {
  const payment_id = `pay_${txid}`;
  const paid: GatewayNotification = {
    ...paidResult(txid, money),
    type: "payment",
    notification_id: `${money.endToEndId}:paid`,
    account,
    // A txid of another product is not one of our ids.
    ...(timeOfId("pay", payment_id) !== null && { payment_id }),
  };
  return [paid, ...devolutionsOf(money).flatMap((one) => moneyBack(money, one, account))];
}

const devolutionsOf = ({ pix: { devolucoes } }: Money): readonly Devolution[] =>
  Array.isArray(devolucoes) ? devolucoes : [];

/** Makes one fact for each state of a devolução, so that a repeat has the id of the first. */
function moneyBack(money: Money, devolution: Devolution, account: string): Facts {
  const { id, valor, natureza, motivo } = devolution ?? {};
  const amount = fromPixAmount(valor);
  if (typeof id !== "string" || amount === null) {
    const cause = new Error("The bank told of a refund whose id or amount cannot be read.");
    return [unread(money.endToEndId, cause)];
  }

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
 * Tells whether the money goes back by the Mecanismo Especial de Devolução, after a
 * fraud or a fault. The kind tells it; banks that leave the kind out begin the id
 * with MED.
 */
function isDispute({ natureza, id, rtrId }: Devolution): boolean {
  if (typeof natureza === "string") return natureza.startsWith("MED");
  return [id, rtrId].some((name) => typeof name === "string" && name.startsWith("MED"));
}
