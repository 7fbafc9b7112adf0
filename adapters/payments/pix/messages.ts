import { fail } from "#core/contract/errors.ts";
import { timeOfId } from "#core/domain/keys/ids.ts";
import type { GatewayMessage } from "#core/payments/gateway/gateway-message.ts";
import type { GatewayNotification, PaymentResult } from "#core/payments/gateway/gateway-results.ts";
import { fromPixAmount } from "./amounts.ts";
import { agreementOf } from "./automatic/agreements.ts";
import {
  isOver,
  isRecurrenceId,
  type Recurrence,
  readRecurrence,
  withRecurrence,
} from "./automatic/recurrences.ts";
import { readRecurring, recurringPath, recurringResult } from "./automatic/recurring-results.ts";
import type { Bank, Devolution } from "./bank.ts";
import { type Callback, type CallbackOptions, readCallback } from "./callback.ts";
import { isTxid, readCharge } from "./charges.ts";
import { refundIdOf, refundReference, refundStatus } from "./refunds.ts";
import { type Money, moneyOf, paidResult } from "./results.ts";

export interface MessageReader {
  readonly callback: CallbackOptions;
  /** True where the host has switched Pix Automático on. */
  readonly isAutomatic: boolean;
  open(store_id: string): Promise<Bank>;
  /** Gives the time in epoch milliseconds. */
  now(): number;
  /** Is told of every recurrence of a message that a payer was asked for. */
  onRecurrence(recurrence: Recurrence, store_id: string): Promise<void>;
}

type Facts = readonly GatewayNotification[];

/** A provider's message is answered within 20 s. */
const readWithinMs = 15_000;
const atOnce = 8;

/**
 * Reads a message of the bank. Only the ids in it are believed: each charge and each recurrence is
 * read from the bank. A charge that the bank does not show yet becomes an `unread` fact, and the
 * others are still reported.
 * Throws when the message does not come from the bank, and `service_unavailable`
 * when the account cannot be opened.
 */
export async function readMessage(reader: MessageReader, message: GatewayMessage): Promise<Facts> {
  const told = await readCallback(reader.callback, message);
  const { store_id, named } = told;
  const txids = [...new Set(named.map(({ txid }) => txid))].filter(isTxid);
  const { isAutomatic } = reader;
  const recurring = isAutomatic ? [...new Set(told.recurring)].filter(isTxid) : [];
  const recurrences = isAutomatic ? [...new Set(told.recurrences)].filter(isRecurrenceId) : [];
  if (txids.length + recurring.length + recurrences.length === 0) return [];

  const unavailable = (cause: unknown) => fail("service_unavailable", { cause });
  const bank = await reader.open(store_id).catch(unavailable);
  const signal = AbortSignal.timeout(readWithinMs);
  const reading = { named, signal, isAutomatic };
  const reads: readonly (() => Promise<Facts>)[] = [
    ...txids.map((txid) => () => readOne(bank, { txid, ...reading })),
    ...recurring.map((txid) => () => readRecurringOne(bank, { txid, ...reading })),
    ...recurrences.map((idRec) => () => recurrenceFacts(bank, { idRec, store_id, signal, reader })),
  ];

  const facts: GatewayNotification[] = [];
  for (let at = 0; at < reads.length; at += atOnce) {
    const some = reads.slice(at, at + atOnce).map((read) => read());
    facts.push(...(await Promise.all(some)).flat());
  }
  return facts;
}

interface Named {
  readonly txid: string;
  readonly named: Callback["named"];
  readonly signal: AbortSignal;
  readonly isAutomatic: boolean;
}

/** Reads the recurring charge of a message of its own, or of its Pix. */
async function readRecurringOne(bank: Bank, { txid, named, signal }: Named): Promise<Facts> {
  try {
    signal.throwIfAborted();
    const charge = await readRecurring(bank, txid, signal);
    if (charge === null) return [];
    if (charge.txid !== txid)
      throw new Error(`The bank answered with another charge than ${txid}.`);

    const all = moneyOf(charge);
    const of = { reference: recurringPath(txid), account: bank.pixKey, ...idOf(txid) };
    const facts = all.flatMap((money) => moneyFacts(money, of));
    if (all.length > 0) return [...facts, ...missingOf(all, { txid, named })];

    const { next_action: _, ...result } = recurringResult(charge, { now: 0, txid });
    if (result.status !== "failed") return [];
    // Each try of the bank may fail once.
    const notification_id = `${txid}:${String(charge.status)}:${charge.tentativas?.length ?? 0}`;
    return [{ ...result, type: "payment", notification_id, account: bank.pixKey, ...idOf(txid) }];
  } catch (cause) {
    return [unread(txid, cause)];
  }
}

interface NamedRecurrence {
  readonly idRec: string;
  readonly store_id: string;
  readonly signal: AbortSignal;
  readonly reader: Pick<MessageReader, "now" | "onRecurrence">;
}

/**
 * Tells how a recurrence stands that a payer was asked for. Of one that the code of a payment
 * carried, tells by that payment that it is over.
 */
async function recurrenceFacts(
  bank: Bank,
  { idRec, store_id, signal, reader }: NamedRecurrence,
): Promise<Facts> {
  try {
    signal.throwIfAborted();
    const recurrence = await readRecurrence(bank, idRec, { signal });
    if (!recurrence) return [];

    const notification_id = `${idRec}:${String(recurrence.status)}`;
    const agreement = agreementOf(recurrence, { store_id, now: reader.now() });
    if (agreement) {
      await reader.onRecurrence(recurrence, store_id);
      return [{ ...agreement, type: "agreement", notification_id, account: bank.pixKey }];
    }
    const txid = recurrence.ativacao?.dadosJornada?.txid;
    if (!isOver(recurrence) || !isTxid(txid)) return [];

    const { payment_id } = idOf(txid);
    if (payment_id === undefined) return [];
    return [{ type: "saved_method_gone", notification_id, account: bank.pixKey, payment_id }];
  } catch (cause) {
    return [unread(idRec, cause)];
  }
}

/** Gives our id of a charge. A txid of another product is not one of our ids. */
const idOf = (txid: string): { readonly payment_id?: string } =>
  timeOfId("pay", `pay_${txid}`) === null ? {} : { payment_id: `pay_${txid}` };

/** Tells of the named Pix that the bank does not show yet. */
function missingOf(all: readonly Money[], { txid, named }: Pick<Named, "txid" | "named">): Facts {
  // If the bank leaves out the id of the Pix, any money of the charge matches.
  const isShown = ({ endToEndId }: Callback["named"][number]): boolean =>
    all.some((money) => endToEndId === null || money.endToEndId === endToEndId);
  const missing = named.filter((one) => one.txid === txid && !isShown(one));
  return missing.map(({ endToEndId }) => {
    const words = `The bank does not show the Pix ${endToEndId ?? ""} of ${txid} yet.`;
    return unread(txid, new Error(words));
  });
}

async function readOne(bank: Bank, of: Named): Promise<Facts> {
  const { txid, signal, isAutomatic } = of;
  try {
    signal.throwIfAborted();
    const charge = await readCharge(bank, txid, signal);
    // A recurring charge has a Pix too. Any other one was made by another product.
    if (charge === null) return isAutomatic ? readRecurringOne(bank, of) : [];
    if (charge.txid !== txid)
      throw new Error(`The bank answered with another charge than ${txid}.`);

    const account = typeof charge.chave === "string" ? charge.chave : bank.pixKey;
    const all = moneyOf(charge);
    const [first] = all;
    const result = first && paidResult(txid, first);
    const { saved_method } =
      result && isAutomatic ? await withRecurrence(bank, { charge, result, signal }) : {};
    const named = {
      reference: txid,
      account,
      ...idOf(txid),
      ...(saved_method && { saved_method }),
    };
    return [...all.flatMap((money) => moneyFacts(money, named)), ...missingOf(all, of)];
  } catch (cause) {
    return [unread(txid, cause)];
  }
}

const unread = (name: string, cause: unknown): GatewayNotification => ({
  type: "unread",
  notification_id: `${name}:unread`,
  cause,
});

/** Names the charge of money, and what was saved by it. */
interface ChargeNames extends Pick<PaymentResult, "reference" | "saved_method"> {
  readonly account: string;
  readonly payment_id?: string;
}

/** Gives the facts of money that came, and of the parts of it that are sent back. */
function moneyFacts(money: Money, { reference, account, ...named }: ChargeNames): Facts {
  const paid: GatewayNotification = {
    ...paidResult(reference, money),
    type: "payment",
    notification_id: `${money.endToEndId}:paid`,
    account,
    ...named,
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
