import { mergeRevocations, type Revocation } from "../../rules/checkout/buyer.ts";
import type { Partition } from "../../rules/records.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";

export const findRevocation = (
  { orders }: MemoryState,
  partition: Partition,
  customer_keys: readonly string[],
): Revocation | null =>
  mergeRevocations(
    customer_keys.flatMap((key) => orders.revocations.get(rowKey(partition, key)) ?? []),
  );

/** Stores the revocation under the first key, with what stood under the others. */
export function putRevocation(
  state: MemoryState,
  partition: Partition,
  customer_keys: readonly string[],
  revocation: Revocation,
): void {
  const { revocations } = state.orders;
  const known = findRevocation(state, partition, customer_keys);
  for (const key of customer_keys) revocations.delete(rowKey(partition, key));

  const merged = mergeRevocations(known ? [known, revocation] : [revocation]);
  const [name = ""] = customer_keys;
  if (merged) revocations.set(rowKey(partition, name), merged);
}
