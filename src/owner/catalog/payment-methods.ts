import { z } from "zod";
import { type PaymentMethod, paymentMethodTypes } from "../../contract/schemas.ts";
import { check, checkId, emptyFields, given, refuse } from "../../input/check.ts";
import {
  currency,
  money,
  optionalText,
  ownId,
  pictureUrl,
  position,
  text,
} from "../../input/fields.ts";
import { renderPaymentMethod } from "../../rules/catalog/render.ts";
import type { PaymentMethodRecord } from "../../rules/records.ts";
import { deleteRecord, putRecord } from "../../steps/record-steps.ts";
import { notFound, type OwnerContext, unknownStore } from "../context.ts";
import { requireExpected, type UpdateOptions } from "../expected.ts";
import { requireKnownStore } from "../known-store.ts";
import { indexOfRepeat } from "./product-input.ts";

const fields = {
  type: z.enum(paymentMethodTypes),
  name: text(200),
  icon_url: pictureUrl.nullish(),
  currencies: z
    .array(currency)
    .min(1)
    .max(200)
    .refine((codes) => indexOfRepeat(codes) === null, "must not name a currency twice")
    .readonly()
    .transform((codes) => [...codes]),
  min_amount: money.nullish(),
  max_amount: money.nullish(),
  supports_recurring: z.boolean().optional(),
  settlement: z.enum(["instant", "delayed"]).optional(),
  position: position.optional(),
  enabled: z.boolean().optional(),
  gateway: optionalText(100),
};

export const PaymentMethodInput = z.strictObject({ ...fields, id: ownId("pm").optional() });
export const PaymentMethodChanges = z.strictObject(fields).partial();
/**
 * Describes a new way to pay. `gateway` is the id of the gateway that charges the
 * buyer. Without one the host settles payments by itself. `settlement` is `instant`
 * by default, and `delayed` for a boleto. Amounts are in minor units. An `id` of
 * your own begins with `pm_`.
 */
export interface PaymentMethodInput extends z.input<typeof PaymentMethodInput> {}
/**
 * Changes a way to pay. A field that is left out stays as it is. `null` empties one
 * that may be empty.
 */
export interface PaymentMethodChanges extends z.input<typeof PaymentMethodChanges> {}

/** A way to pay with the fields that only the owner sees. */
export interface OwnerPaymentMethod extends PaymentMethod {
  readonly enabled: boolean;
  readonly gateway: string | null;
}

/** Manages the ways to pay of a store. */
export interface OwnerPaymentMethods {
  /** Creates a method. A store has at most 1,000 payment methods. */
  create(store_id: string, input: PaymentMethodInput): Promise<OwnerPaymentMethod>;
  /**
   * Changes a method. Throws `resource_not_found` for a method of another store, and
   * `precondition_failed` when `expected` is no longer what is stored.
   */
  update(
    store_id: string,
    id: string,
    changes: PaymentMethodChanges,
    options?: UpdateOptions<OwnerPaymentMethod>,
  ): Promise<OwnerPaymentMethod>;
  /** Reads a method. Throws `resource_not_found` for a method of another store. */
  retrieve(store_id: string, id: string): Promise<OwnerPaymentMethod>;
  /**
   * Lists all methods, the disabled ones too, and those whose gateway is not
   * configured.
   */
  list(store_id: string): Promise<readonly OwnerPaymentMethod[]>;
  /** Deletes a method. Throws `resource_not_found` for a method of another store. */
  delete(store_id: string, id: string): Promise<void>;
}

const render = (record: PaymentMethodRecord): OwnerPaymentMethod => ({
  ...renderPaymentMethod(record),
  enabled: record.enabled,
  gateway: record.gateway,
});

export function createPaymentMethods(ctx: OwnerContext): OwnerPaymentMethods {
  const { catalog, records } = ctx.storage;
  const find = async (store_id: string, id: string): Promise<PaymentMethodRecord> => {
    const all = await catalog.listPaymentMethods(checkId("store_id", store_id));
    return all.find((record) => record.id === checkId("id", id)) ?? notFound(ctx, store_id);
  };

  return {
    async create(store_id, input) {
      const store = checkId("store_id", store_id);
      const checked = check(PaymentMethodInput, input);
      const id = checked.id ?? ctx.newId("pm");
      const all = checked.id === undefined ? [] : await catalog.listPaymentMethods(store);
      if (all.some((record) => record.id === id))
        return refuse("id", "is taken by another payment method");

      const record = newPaymentMethod({ store_id: store, id }, checked);
      return (await write(ctx, record)) ?? render(record);
    },

    async update(store_id, id, changes, options = {}) {
      const changed = given(check(PaymentMethodChanges, changes));

      for (;;) {
        const before = await find(store_id, id);
        requireExpected(render(before), options);

        const written = await write(ctx, { ...before, ...changed }, before);
        if (written) return written;
      }
    },

    retrieve: async (store_id, id) => render(await find(store_id, id)),

    async list(store_id) {
      const store = checkId("store_id", store_id);
      const records = await catalog.listPaymentMethods(store);
      if (records.length === 0) await requireKnownStore(ctx, store);
      return records.map(render);
    },

    async delete(store_id, id) {
      const store = checkId("store_id", store_id);
      if (
        !(await deleteRecord(records, "payment_method", { store_id: store, id: checkId("id", id) }))
      )
        return notFound(ctx, store);
      ctx.changed(store);
    },
  };
}

/** Makes a method of what its owner gave. Throws `parameter_invalid` for a range of none. */
export function newPaymentMethod(
  { store_id, id }: Pick<PaymentMethodRecord, "store_id" | "id">,
  input: z.output<typeof PaymentMethodInput>,
  root = "",
): PaymentMethodRecord {
  const record: PaymentMethodRecord = {
    ...emptyFields(fields),
    supports_recurring: false,
    settlement: input.type === "boleto" ? "delayed" : "instant",
    position: 0,
    enabled: true,
    ...given(input),
    id,
    store_id,
  };
  checkRange(record, root);
  return record;
}

function checkRange({ min_amount, max_amount }: PaymentMethodRecord, root = ""): void {
  if (min_amount !== null && max_amount !== null && max_amount < min_amount)
    refuse(`${root}max_amount`, "must not be below min_amount");
}

/** Returns null when another call has changed the method since `before` was read. */
async function write(
  ctx: OwnerContext,
  record: PaymentMethodRecord,
  before?: PaymentMethodRecord,
): Promise<OwnerPaymentMethod | null> {
  checkRange(record);
  const { outcome } = await putRecord(ctx.storage.records, "payment_method", record, before);
  if (outcome === "stale") return null;
  if (outcome === "unknown_store") return unknownStore();
  if (outcome === "limit")
    return refuse("store_id", "has 1,000 payment methods, which is the most a store can have");

  ctx.changed(record.store_id);
  return render(record);
}
