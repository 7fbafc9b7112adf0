import { z } from "zod";

const timestamp = z.iso.datetime({ precision: 3 });
const nullableText = z.string().nullable();

/** What a product can deliver with its payment. */
export const deliveryTypes = ["text", "link", "license_key"] as const;

/** What a buyer has got for an item of a paid order. */
export const Entitlement = z.strictObject({
  id: z.string(),
  type: z.enum(deliveryTypes),
  item_id: z.string(),
  product_id: z.string(),
  quantity: z.int(),
  text: nullableText,
  url: nullableText,
  license_key: nullableText,
  license_key_last4: nullableText,
  activation_limit: z.int().nullable(),
  activation_usage: z.int().nullable(),
  granted_at: timestamp,
  revoked_at: timestamp.nullable(),
});
export interface Entitlement extends z.output<typeof Entitlement> {}
