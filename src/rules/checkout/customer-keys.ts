import { hmacText } from "../../domain/keys/hash.ts";
import type { KeyRing } from "../../domain/keys/key-ring.ts";

/**
 * Gives the names under which a customer's revocation is stored. A revocation is
 * written under the first one. The names are a hash under each seal key, the newest
 * key first, and the plain id, which older versions wrote.
 */
export type CustomerKeys = (store_id: string, customer_id: string) => Promise<readonly string[]>;

/**
 * A revocation outlives the erasure of its customer, so it must not tell the id.
 * Without a secret key, an id could be found again by hashing every id that a host
 * may have given.
 */
export const createCustomerKeys =
  (ring: KeyRing): CustomerKeys =>
  async (store_id, customer_id) => {
    const hashes = ring.ids.map(async (id) =>
      hmacText(await ring.derive(id, "customer"), `${store_id}\n${customer_id}`),
    );
    return [...(await Promise.all(hashes)), customer_id];
  };
