import { carries } from "./order-money.ts";
import type { AttemptRecord } from "./payment-records.ts";

/** The names of a payment in a gateway's message. */
export interface NotifiedNames {
  readonly gateway: string;
  readonly livemode: boolean;
  readonly account: string | null;
  /** The provider's ids of what was asked for, of the money, or of both. */
  readonly references: readonly string[];
  /** The library's id of the payment (`pay_…`). Null when the message does not name it. */
  readonly payment_id: string | null;
}

export interface ChosenAttempt {
  readonly attempt: AttemptRecord | null;
  /** The attempt that `payment_id` names, when it belongs to another gateway, mode or account. */
  readonly foreign: AttemptRecord | null;
  /** One attempt of each order that the message may be about, when it may be about several. */
  readonly rivals: readonly AttemptRecord[];
}

/**
 * Chooses the attempt of a message from those that its references and its `payment_id` find, the
 * newest first. The provider's reference decides. `payment_id` only finds what the reference does
 * not, since a merchant can write any id into the provider's metadata. But when several attempts
 * have one reference, it tells which is meant. Without it, attempts of several orders are rivals,
 * and none is chosen: a guess would pay an order with another buyer's money.
 */
export function chooseAttempt(
  found: readonly AttemptRecord[],
  names: NotifiedNames,
): ChosenAttempt {
  const isSender = (attempt: AttemptRecord): boolean =>
    attempt.gateway === names.gateway &&
    attempt.livemode === names.livemode &&
    attempt.account === names.account;

  const own = found.filter(isSender);
  const byId = own.find(({ id }) => id === names.payment_id) ?? null;
  const byReference = own.filter((attempt) => attempt !== byId);
  const [newest = null] = byReference;
  if (!newest) return chosen(byId, byId ? null : (found[0] ?? null));
  if (byId && carriesReference(byId, names)) return chosen(byId);

  const rivals = oneOfEachOrder(byReference);
  return rivals.length === 1 ? chosen(newest) : { attempt: null, foreign: null, rivals };
}

/** Tells whether the attempt itself has one of the message's references. */
export const carriesReference = (
  attempt: AttemptRecord,
  { references }: Pick<NotifiedNames, "references">,
): boolean => references.some((name) => carries(attempt, name));

const chosen = (
  attempt: AttemptRecord | null,
  foreign: AttemptRecord | null = null,
): ChosenAttempt => ({ attempt, foreign, rivals: [] });

/** Gives the newest attempt of each order. Ids of orders are unique over all stores. */
function oneOfEachOrder(attempts: readonly AttemptRecord[]): readonly AttemptRecord[] {
  const byOrder = new Map<string, AttemptRecord>();
  for (const attempt of attempts)
    if (!byOrder.has(attempt.order_id)) byOrder.set(attempt.order_id, attempt);
  return [...byOrder.values()];
}
