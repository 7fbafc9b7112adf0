import { z } from "zod";
import { defaultPageSize } from "../contract/query-parameters.ts";
import type { Page } from "../contract/routes.ts";
import type { Store } from "../contract/schemas.ts";
import { check, checkId, given, refuse } from "../input/check.ts";
import {
  country,
  currency,
  email,
  locale,
  optionalText,
  ownId,
  ownSlug,
  pictureUrl,
  slug,
  slugOf,
  text,
  timezone,
  webUrl,
} from "../input/fields.ts";
import { renderStore } from "../rules/catalog/render.ts";
import type { PaymentMethodRecord, StoreRecord } from "../rules/records.ts";
import { createStore, updateStore } from "../steps/store-steps.ts";
import type { AccessStore } from "../storage/types.ts";
import { maxAddresses, readAddresses } from "./addresses.ts";
import { newPaymentMethod, PaymentMethodInput } from "./catalog/payment-methods.ts";
import { indexOfRepeat } from "./catalog/product-input.ts";
import { type OwnerContext, unknownStore } from "./context.ts";
import { type UpdateOptions, writeExpected } from "./expected.ts";
import { PageQuery, pageOf, readPage } from "./page.ts";

const fields = {
  name: text(200),
  description: optionalText(5000),
  logo_url: pictureUrl.nullish(),
  website_url: webUrl.nullish(),
  support_email: email.nullish(),
  support_url: webUrl.nullish(),
  terms_url: webUrl.nullish(),
  privacy_url: webUrl.nullish(),
  country: country.nullish(),
  currency,
  locale: locale.optional(),
  timezone: timezone.optional(),
};

const settings = {
  headless_enabled: z.boolean(),
  maintenance: z.boolean(),
  localhost_origins: z.boolean(),
};
const addresses = z.array(z.string()).max(maxAddresses).readonly().optional();

export const StoreInput = z.strictObject({
  ...fields,
  headless_enabled: settings.headless_enabled.optional(),
  localhost_origins: settings.localhost_origins.optional(),
  id: ownId("str").optional(),
  slug: slug.nullish(),
  origins: addresses,
  return_urls: addresses,
  payment_methods: z.array(PaymentMethodInput).max(100).readonly().optional(),
});
export const StoreChanges = z
  .strictObject({
    ...fields,
    ...settings,
  })
  .partial();
/**
 * Describes a new store. Without a slug one is made from the name. `currency` is
 * ISO 4217, `timezone` an IANA name (`UTC` by default), `locale` BCP 47 (`en` by
 * default). An `id` of your own begins with `str_`. `headless_enabled` switches the
 * public API on. `origins`, `return_urls` and `payment_methods` are what
 * `owner.origins`, `owner.returnUrls` and `owner.paymentMethods` would add: all of it
 * is stored with the store, or nothing is.
 */
export interface StoreInput extends z.input<typeof StoreInput> {}
/**
 * Changes a store. A field that is left out stays as it is. `null` empties one that
 * may be empty.
 */
export interface StoreChanges extends z.input<typeof StoreChanges> {}

const StoreQuery = PageQuery.extend({ search: text(200).nullish() });
/**
 * Selects the stores of a list. `search` finds the stores whose name contains the
 * text, whatever its case and accents, or whose slug or id begins with it. The
 * store with exactly this id or slug comes first.
 */
export interface StoreQuery extends z.input<typeof StoreQuery> {}

/** A store with the fields that only the owner sees. */
export interface OwnerStore extends Store {
  /** False means that the public API answers 403 `headless_disabled`. */
  readonly headless_enabled: boolean;
  /**
   * True means that the public API answers 503 `store_maintenance`. Payments that
   * have begun continue.
   */
  readonly maintenance: boolean;
  /**
   * True means that browsers may use test keys from any page on `http://localhost`,
   * `http://127.0.0.1` and `http://[::1]`, whatever the port. They may never use
   * live keys there. A checkout session of a test key may then also send its buyer
   * back to any address on `http://localhost`.
   */
  readonly localhost_origins: boolean;
}

/** Manages the stores of this deployment. */
export interface OwnerStores {
  /**
   * Creates a store, with all that it needs to sell. Its API is off unless
   * `headless_enabled` is true. A repeat with the same `id` returns the store of the
   * first call. Throws `invalid_origin` and `invalid_return_url`.
   */
  create(input: StoreInput): Promise<OwnerStore>;
  /**
   * Changes a store. Throws `resource_not_found` for a store that does not exist, and
   * `precondition_failed` when `expected` is no longer what is stored.
   */
  update(
    id: string,
    changes: StoreChanges,
    options?: UpdateOptions<OwnerStore>,
  ): Promise<OwnerStore>;
  /** Reads a store. Throws `resource_not_found` for a store that does not exist. */
  retrieve(id: string): Promise<OwnerStore>;
  /**
   * Lists stores, ordered by id, and so by time of creation unless you have chosen
   * the ids. A page of a `search` looks at 5,000 stores at most. While `has_more`
   * is true, go on with `next_cursor`, also when the page has few rows or none.
   */
  list(query?: StoreQuery): Promise<Page<OwnerStore>>;
}

const render = (record: StoreRecord): OwnerStore => ({
  ...renderStore(record),
  headless_enabled: record.headless_enabled,
  maintenance: record.maintenance,
  localhost_origins: record.localhost_origins ?? false,
});

export function createStores(ctx: OwnerContext): OwnerStores {
  const { access, records } = ctx.storage;
  return {
    async create(input) {
      const { slug: wanted, ...checked } = check(StoreInput, input);
      const base = slugOf(checked.name);
      const record = newStore(ctx, { ...checked, slug: wanted ?? base });
      const beside = {
        origins: readAddresses("origins", checked.origins ?? []),
        return_urls: readAddresses("return_urls", checked.return_urls ?? []),
        payment_methods: newPaymentMethods(ctx, record.id, checked.payment_methods ?? []),
      };

      let result = await createStore(records, record, beside);
      if (result.outcome === "slug_taken" && !wanted)
        result = await createStore(records, { ...record, slug: ownSlug(base, record.id) }, beside);
      if (result.outcome === "slug_taken") return refuse("slug", "is taken by another store");

      ctx.changed(result.store.id);
      return render(result.store);
    },

    async update(id, changes, options = {}) {
      const store_id = checkId("store_id", id);
      const changed = given(check(StoreChanges, changes));
      const store = await writeExpected({
        options,
        find: () => access.findStore(store_id),
        render,
        write: (before) => updateStore(records, store_id, changed, before),
      });
      if (!store) return unknownStore();

      ctx.changed(store_id);
      return render(store);
    },

    async retrieve(id) {
      const store = await access.findStore(checkId("store_id", id));
      return store ? render(store) : unknownStore();
    },

    async list(query = {}) {
      const { search, ...page } = check(StoreQuery, query);
      if (search == null) return readPage(page, (range) => access.listStores(range), render);

      const found = await findStores(access, search.trim(), page);
      return { ...found, data: found.data.map(render) };
    },
  };
}

const mostSearched = 5_000;

async function findStores(
  access: AccessStore,
  search: string,
  { limit, starting_after }: PageQuery,
): Promise<Page<StoreRecord>> {
  // The code is loaded at the first search, because no buyer's request needs it.
  const { searchStores } = await import("./store-search.ts");
  return searchStores(
    { search, limit: limit ?? defaultPageSize, after: starting_after ?? null },
    {
      findNamed: async (name) => (await access.findStore(name)) ?? access.findStore(name, "slug"),
      async read({ after, limit: size }) {
        const rows = await access.listStores({ after, limit: size + 1 });
        return pageOf(rows, size, (row) => row);
      },
      most: mostSearched,
    },
  );
}

/** Makes the payment methods of a new store. Throws `parameter_invalid` for an id given twice. */
function newPaymentMethods(
  ctx: OwnerContext,
  store_id: string,
  inputs: readonly z.output<typeof PaymentMethodInput>[],
): readonly PaymentMethodRecord[] {
  const repeat = indexOfRepeat(inputs.flatMap(({ id }) => id ?? []));
  if (repeat !== null) refuse("payment_methods", "must not name an id twice");

  return inputs.map((input, index) => {
    const name = { store_id, id: input.id ?? ctx.newId("pm") };
    return newPaymentMethod(name, input, `payment_methods[${index}].`);
  });
}

type NewStore = Omit<z.output<typeof StoreInput>, "slug"> & { readonly slug: string | null };

function newStore(ctx: OwnerContext, input: NewStore): StoreRecord {
  const id = input.id ?? ctx.newId("str");
  return {
    id,
    slug: input.slug ?? ownSlug(null, id),
    name: input.name,
    description: input.description ?? null,
    logo_url: input.logo_url ?? null,
    website_url: input.website_url ?? null,
    support_email: input.support_email ?? null,
    support_url: input.support_url ?? null,
    terms_url: input.terms_url ?? null,
    privacy_url: input.privacy_url ?? null,
    country: input.country ?? null,
    currency: input.currency,
    locale: input.locale ?? "en",
    timezone: input.timezone ?? "UTC",
    headless_enabled: input.headless_enabled ?? false,
    maintenance: false,
    localhost_origins: input.localhost_origins ?? false,
    catalog_version: 1,
    created_at: ctx.now(),
  };
}
