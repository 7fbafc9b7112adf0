import type { KeyScope } from "../../rules/checkout/checkout-records.ts";
import type { IdempotencyKey } from "../../rules/checkout/key-state.ts";
import type { ScopedKey } from "../../rules/orders/order-changes.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";

export const findKey = ({ checkout }: MemoryState, scope: KeyScope): IdempotencyKey | null =>
  checkout.keys.get(keyName(scope)) ?? null;

export function putKey({ checkout }: MemoryState, { scope, key }: ScopedKey): void {
  checkout.keys.set(keyName(scope), key);
}

const keyName = (scope: KeyScope): string =>
  `${rowKey(scope, scope.key_kind)}\n${scope.operation}\n${scope.idempotency_key}`;
