import type { Page } from "#core/contract/routes.ts";
import type { CouponInput } from "#core/owner/catalog/coupons.ts";
import type { ProductInput } from "#core/owner/catalog/product-input.ts";
import type { Owner } from "#core/owner/owner.ts";
import type { StoreInput } from "#core/owner/stores.ts";
import type { CatalogStore } from "#core/storage/types.ts";
import { type NamedStore, partitionOf } from "../../frame/store.ts";
import type { Column } from "../../frame/table-lines.ts";
import { exampleAddresses } from "./addresses.ts";
import type { Fields } from "./fields.ts";
import { couponIdOf, type Names, productIdOf } from "./find-id.ts";

/** Where a call of the owner's services is made. */
export interface Place {
  readonly owner: Owner;
  readonly store: NamedStore;
  readonly catalog: CatalogStore;
}

type Range = { readonly limit?: number; readonly starting_after?: string };

/** What the commands of one kind of record call. */
export interface Resource {
  readonly columns: readonly Column<Fields>[];
  list(place: Place, range: Range): Promise<Page<object>>;
  show(place: Place, id: string): Promise<object | undefined>;
  create?(place: Place, fields: Fields): Promise<object>;
  update?(place: Place, id: string, fields: Fields): Promise<object>;
  /** Deletes it, or revokes a key. */
  remove?(place: Place, id: string): Promise<unknown>;
  /** Gives the id of what a slug or a code names. */
  idOf?(names: Names, word: string): Promise<string>;
  /** An address such as it is given, for a record that is one and has no fields. */
  readonly address?: string;
  /** The field that is shown once, and that `--secret-to` writes into a file. */
  readonly secret?: string;
}

const column = (title: string, name = title): Column<Fields> => ({
  title,
  whole: title === "id" || title === "address",
  value: (row) => String(row[name] ?? "-"),
});

/** The day alone: the whole time is in what `show` and `--json` give. */
const dayColumn = (title: string, name: string): Column<Fields> => ({
  title,
  value: (row) => String(row[name] ?? "-").slice(0, 10),
});

/** The name with the options that tell a product from the others of its group. */
function nameText({ name, options }: Fields): string {
  const values = Array.isArray(options) ? options.map(({ value }) => String(value)) : [];
  return [String(name), ...values].join(" · ");
}

const onePage = <T extends object>(data: readonly T[]): Page<T> => ({
  data: [...data],
  has_more: false,
  next_cursor: null,
});

// The owner's services check every field: here its type is only claimed.
const stores: Resource = {
  columns: [
    column("id"),
    { ...column("slug"), whole: true },
    column("name"),
    column("currency"),
    column("api on", "headless_enabled"),
  ],
  list: ({ owner }, range) => owner.stores.list(range),
  show: ({ owner, store }) => owner.stores.retrieve(store.store_id),
  create: ({ owner }, fields) => owner.stores.create(fields as Fields & StoreInput),
  update: ({ owner, store }, _id, fields) => owner.stores.update(store.store_id, fields),
};

const products: Resource = {
  columns: [
    column("id"),
    column("slug"),
    { title: "name", value: nameText },
    { title: "price", value: ({ price, currency }) => `${price} ${currency}` },
    column("stock"),
    column("active"),
  ],
  idOf: productIdOf,
  list: ({ owner, store }, range) => owner.products.list(store.store_id, range),
  show: ({ owner, store }, id) => owner.products.retrieve(store.store_id, id),
  create: ({ owner, store }, fields) =>
    owner.products.create(store.store_id, fields as Fields & ProductInput),
  update: ({ owner, store }, id, fields) => owner.products.update(store.store_id, id, fields),
  remove: ({ owner, store }, id) => owner.products.delete(store.store_id, id),
};

const keys: Resource = {
  columns: [
    column("id"),
    column("kind"),
    { title: "mode", value: ({ livemode }) => (livemode ? "live" : "test") },
    column("last4"),
    dayColumn("revoked", "revoked_at"),
    dayColumn("last used", "last_used_at"),
  ],
  list: async ({ owner, store }) => onePage(await owner.keys.list(store.store_id)),
  show: async ({ owner, store }, id) =>
    (await owner.keys.list(store.store_id)).find((key) => key.id === id),
  create: ({ owner, store: { store_id, livemode } }, fields) =>
    owner.keys.create({ ...(fields as { kind: "secret" }), store_id, livemode }),
  remove: ({ owner, store }, id) => owner.keys.revoke(store.store_id, id),
  secret: "key",
};

const endpoints: Resource = {
  columns: [column("id"), column("url"), column("state"), column("types", "event_types")],
  list: async ({ owner, store }) => onePage(await owner.endpoints.list(partitionOf(store))),
  show: async ({ owner, store }, id) => ({
    ...(await owner.endpoints.retrieve(partitionOf(store), id)),
    health: await owner.endpoints.health(partitionOf(store), id),
  }),
  create: ({ owner, store }, fields) =>
    owner.endpoints.create({ ...(fields as { url: string }), ...partitionOf(store) }),
  update: ({ owner, store }, id, fields) => owner.endpoints.update(partitionOf(store), id, fields),
  remove: ({ owner, store }, id) => owner.endpoints.delete(partitionOf(store), id),
  secret: "secret",
};

const coupons: Resource = {
  columns: [
    column("id"),
    column("code"),
    column("discount", "discount_amount"),
    column("type", "discount_type"),
    column("enabled"),
  ],
  idOf: couponIdOf,
  list: ({ owner, store }, range) => owner.coupons.list(store.store_id, range),
  show: ({ owner, store }, id) => owner.coupons.retrieve(store.store_id, id),
  create: ({ owner, store }, fields) =>
    owner.coupons.create(store.store_id, fields as Fields & CouponInput),
  update: ({ owner, store }, id, fields) => owner.coupons.update(store.store_id, id, fields),
  remove: ({ owner, store }, id) => owner.coupons.delete(store.store_id, id),
};

const addresses = (service: "origins" | "returnUrls", address: string): Resource => ({
  address,
  columns: [column("address")],
  list: async ({ owner, store }) =>
    onePage((await owner[service].list(store.store_id)).map((address) => ({ address }))),
  show: async ({ owner, store }, id) =>
    (await owner[service].list(store.store_id)).includes(id) ? { address: id } : undefined,
  create: async ({ owner, store }, fields) => ({
    address: await owner[service].add(store.store_id, String(fields["address"] ?? "")),
  }),
  remove: ({ owner, store }, id) => owner[service].remove(store.store_id, id),
});

export const resources = {
  stores,
  products,
  keys,
  origins: addresses("origins", exampleAddresses.origins),
  "return-urls": addresses("returnUrls", exampleAddresses["return-urls"]),
  endpoints,
  coupons,
} as const satisfies Readonly<Record<string, Resource>>;

export type ResourceName = keyof typeof resources;
