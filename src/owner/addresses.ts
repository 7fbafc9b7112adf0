import { type ErrorCode, fail } from "../contract/errors.ts";
import { parseOrigin, parseReturnUrl } from "../domain/url-rules.ts";
import { checkId } from "../input/check.ts";
import type { AddressKind } from "../rules/owner/record-kinds.ts";
import { addAddress, removeAddress } from "../steps/store-steps.ts";
import { type OwnerContext, unknownStore } from "./context.ts";
import { requireKnownStore } from "./known-store.ts";

export const maxAddresses = 100;

/**
 * Keeps a list of addresses of a store. Both live and test calls are checked
 * against it.
 */
export interface OwnerAddresses {
  /**
   * Returns the address as it is stored and compared. Adding a registered address
   * again changes nothing. Throws `invalid_origin` or `invalid_return_url`, also
   * when the list is full.
   */
  add(store_id: string, address: string): Promise<string>;
  /** Removes an address. Resolves to false when the address was not registered. */
  remove(store_id: string, address: string): Promise<boolean>;
  /** Lists all addresses of the store, in the form in which they are compared. */
  list(store_id: string): Promise<readonly string[]>;
}

/** Reads an address of a list. Throws the code of the list for one that cannot be on it. */
function readAddress(address: unknown, param: string, { kind, code, parse }: AddressList): string {
  if (address === undefined || address === null)
    return fail("parameter_missing", { param, message: `${kind} is required.` });
  return parse(address) ?? fail(code, { param });
}

interface AddressList {
  readonly kind: AddressKind;
  readonly code: ErrorCode;
  parse(text: unknown): string | null;
}

const lists = {
  origins: { kind: "origin", code: "invalid_origin", parse: parseOrigin },
  return_urls: { kind: "return_url", code: "invalid_return_url", parse: parseReturnUrl },
} as const satisfies Record<string, AddressList>;

/** Reads the addresses of a new store, each once. */
export const readAddresses = (
  name: keyof typeof lists,
  addresses: readonly string[],
): readonly string[] => [
  ...new Set(
    addresses.map((address, index) => readAddress(address, `${name}[${index}]`, lists[name])),
  ),
];

/**
 * Creates the list of the origins of browser calls: `https://host[:port]` or
 * `http://localhost[:port]`.
 */
export const createOrigins = (ctx: OwnerContext): OwnerAddresses =>
  createAddresses(ctx, lists.origins);

/**
 * Creates the list of the addresses that a buyer may be sent back to: `https`, or
 * `http://localhost`. A session's own URL may add any query.
 */
export const createReturnUrls = (ctx: OwnerContext): OwnerAddresses =>
  createAddresses(ctx, lists.return_urls);

function createAddresses(ctx: OwnerContext, list: AddressList): OwnerAddresses {
  const { access, records } = ctx.storage;
  const { kind, code } = list;
  const read = (address: unknown): string => readAddress(address, kind, list);

  return {
    async add(store_id, address) {
      const store = checkId("store_id", store_id);
      const value = read(address);

      const { outcome } = await addAddress(
        records,
        { kind, store_id: store, address: value },
        maxAddresses,
      );
      if (outcome === "unknown_store") return unknownStore();
      if (outcome === "limit")
        return fail(code, {
          param: kind,
          message: `A store holds at most ${maxAddresses} entries of this list.`,
        });

      ctx.changed(store);
      return value;
    },

    async remove(store_id, address) {
      const store = checkId("store_id", store_id);

      const removed = await removeAddress(records, {
        kind,
        store_id: store,
        address: read(address),
      });
      if (!removed) await requireKnownStore(ctx, store);

      ctx.changed(store);
      return removed;
    },

    async list(store_id) {
      const store = checkId("store_id", store_id);
      const values = await access.listAddresses(kind, store);
      if (values.length === 0) await requireKnownStore(ctx, store);
      return values;
    },
  };
}
