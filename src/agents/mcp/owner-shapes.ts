import { z } from "zod";
import { Order, Product } from "../../contract/schemas.ts";
import { ProductChanges } from "../../owner/catalog/product-input.ts";
import { deliveryStates } from "../../rules/webhooks/webhook-records.ts";

// What an owner's tools take and give. A plain object drops what it does not name.

export const time = z.string().min(1).max(100);

export const text = (most: number) => z.string().min(1).max(most);
export const id = text(255);

/** The fields that every tool about a store takes. */
export const store = {
  store_id: id.optional().describe("Needed when you reach more than one store."),
  livemode: z.boolean().default(true).describe("false looks at what was made with test keys."),
};

/** The fields that every list takes. */
export const page = {
  limit: z.int().min(1).max(100).default(20),
  cursor: text(2_000).optional().describe("next_cursor of the page before, same filters."),
};

export const next_cursor = z.string().nullable();

export const storeShape = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  currency: z.string(),
});

/** An order as a list shows it. */
export const orderRow = z.object(
  Order.pick({
    id: true,
    number: true,
    status: true,
    currency: true,
    amount_total: true,
    amount_refunded: true,
    customer: true,
    created_at: true,
    paid_at: true,
  }).shape,
);

/** What a buyer has got is no assistant's to read. */
export const order = z.object(Order.omit({ entitlements: true }).shape);

export const product = z.object({
  ...Product.omit({ available: true }).shape,
  active: z.boolean().describe("false is a draft, which nobody can see"),
  blocked: z.boolean().describe("true is shown, but cannot be bought"),
  stock: z.int().nullable().describe("as it was last set; null is not counted"),
});

/** The fields of a product that an assistant changes, as the dashboard takes them. */
export const productChanges = ProductChanges.pick({
  name: true,
  description: true,
  price: true,
  compare_at_price: true,
  active: true,
  blocked: true,
  stock: true,
});

/** What is left of a product whose stock is counted. */
export const stockLeft = z
  .object({ on_hand: z.int(), held: z.int() })
  .nullable()
  .describe("on_hand may be sold now, held belongs to open orders; null is not counted");

const number = z.union([z.number(), z.string(), z.null()]);
/** A number, or the numbers of each payment method. */
const numbers = z.record(z.string(), z.union([number, z.array(z.record(z.string(), number))]));
const counted = z.object({
  complete_from: time.nullable(),
  totals: numbers,
  series: z.array(numbers),
});

export const stats = z.object({
  interval: z.string(),
  timezone: z.string(),
  from: time,
  to: time,
  complete_from: time.nullable(),
  currencies: z.array(
    z.object({ currency: z.string(), totals: numbers, series: z.array(numbers) }),
  ),
  sessions: counted,
  deliveries: counted,
});

const saleSum = z.object({ orders: z.int(), pieces: z.int(), amount: z.int() });
const sold = saleSum.extend({ before: saleSum.nullable() });
const products = z.array(
  sold.extend({
    product_id: id,
    name: z.string(),
    options: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
    deleted: z.boolean(),
  }),
);

export const sales = z.object({
  from: time,
  to: time,
  compare_from: time.nullable(),
  complete_from: time.nullable(),
  currencies: z.array(
    z.object({
      currency: z.string(),
      products_by_pieces: products,
      products_by_amount: products,
      channels: z.array(sold.extend({ channel: z.string().nullable() })),
      customers: z.object({ new: sold, returning: sold }),
    }),
  ),
});

export const delivery = z.object({
  endpoint_id: id,
  event_id: id,
  event_type: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  next_attempt_at: time.nullable(),
  created_at: time,
  updated_at: time,
});
