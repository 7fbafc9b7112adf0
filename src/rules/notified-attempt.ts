import type { AttemptRecord } from "./payment-records.ts";

/** Tells how a gateway's message names its payment. */
export interface NotifiedNames {
  readonly gateway: string;
  readonly livemode: boolean;
  readonly account: string | null;
  /** It is our `pay_…`. It is null when the message does not name it. */
  readonly payment_id: string | null;
}

export interface ChosenAttempt {
  readonly attempt: AttemptRecord | null;
  /** It is the attempt that our id names, when it is another gateway's, mode's or account's. */
  readonly foreign: AttemptRecord | null;
}

/**
 * Chooses the attempt of a message from those that its references and our id find,
 * the newest first. The provider's reference decides. Our id only finds what the
 * reference does not, since a merchant can write any id into the provider's
 * metadata.
 */
export function chooseAttempt(
  found: readonly AttemptRecord[],
  { gateway, livemode, account, payment_id }: NotifiedNames,
): ChosenAttempt {
  const isSender = (attempt: AttemptRecord): boolean =>
    attempt.gateway === gateway && attempt.livemode === livemode && attempt.account === account;

  const own = found.filter(isSender);
  const byReference = own.find(({ id }) => id !== payment_id);
  const attempt = byReference ?? own[0] ?? null;
  const foreign = attempt ? null : (found[0] ?? null);
  return { attempt, foreign };
}
