import type { AlertRecord } from "../records.ts";
import type { AttemptRecord } from "./payment-records.ts";

/** The last tries of a gateway in a store, the newest first: true for one that took money. */
export type GatewayTries = readonly boolean[];

/** The number of tries that are judged together. */
const judged = 20;
/** The most tries that took money at a gateway that counts as declining everything. */
const mostTaken = 1;
/** The fewest tries that took money at a gateway that works again. */
const enoughTaken = 5;

/**
 * Gives the last tries of a gateway. A payment that the buyer gave up or let expire does not count
 * as a try, and neither does one without a result.
 */
export function triesOf(attempts: readonly AttemptRecord[], gateway: string): GatewayTries {
  const tries: boolean[] = [];
  for (const attempt of attempts) {
    if (attempt.gateway !== gateway || tries.length === judged) continue;
    if (attempt.received_amount !== null) tries.push(true);
    else if (attempt.state === "failed" && isRefusal(attempt)) tries.push(false);
  }
  return tries;
}

const isRefusal = ({ failure_code }: AttemptRecord): boolean =>
  failure_code === "declined" || failure_code === "error" || failure_code === "fraud";

/** Says what the tries tell of a gateway. `unclear` neither raises an alert nor withdraws one. */
export function verdictOf(tries: GatewayTries): "declining" | "well" | "unclear" {
  const taken = tries.filter((took) => took).length;
  if (tries.length >= judged && taken <= mostTaken) return "declining";
  return tries.length < judged || taken >= enoughTaken ? "well" : "unclear";
}

interface Declining {
  readonly id: string;
  readonly gateway: string;
  readonly tries: GatewayTries;
  readonly now: number;
}

/** Tells the owner of a gateway that declines all. It is stored once until it is withdrawn. */
export const decliningAlert = (
  { store_id, livemode, order_id }: AttemptRecord,
  { id, gateway, tries, now }: Declining,
): AlertRecord => ({
  id,
  store_id,
  livemode,
  type: "gateway_declining",
  subject: gateway,
  data: {
    gateway,
    tries: tries.length,
    declined: tries.filter((took) => !took).length,
    order_id,
  },
  created_at: now,
});
