import { z } from "zod";

const timestamp = z.iso.datetime({ precision: 3 });
const nullableText = z.string().nullable();
const nullableCount = z.int().nullable();

/** What a product can deliver with its payment. */
export const deliveryTypes = ["text", "link", "license_key", "file"] as const;

/** What a buyer has got for an item of a paid order. */
export const Entitlement = z.strictObject({
  id: z.string(),
  type: z.enum(deliveryTypes),
  status: z.enum(["pending", "granted", "revoked"]),
  item_id: z.string(),
  product_id: z.string(),
  quantity: z.int(),
  text: nullableText,
  url: nullableText,
  license_key: nullableText,
  license_key_last4: nullableText,
  activation_limit: nullableCount,
  activation_usage: nullableCount,
  file_name: nullableText,
  download_limit: nullableCount,
  downloads: nullableCount,
  granted_at: timestamp,
  revoked_at: timestamp.nullable(),
});
export interface Entitlement extends z.output<typeof Entitlement> {}

/** What a store says about a license key. A key that it does not know has null in all fields. */
export const License = z.strictObject({
  valid: z.boolean(),
  reason: z.enum(["unknown_key", "revoked", "unknown_instance"]).nullable(),
  entitlement_id: nullableText,
  product_id: nullableText,
  activation_limit: nullableCount,
  activation_usage: nullableCount,
  instance: z
    .strictObject({
      id: z.string(),
      name: z.string(),
      created_at: timestamp,
    })
    .nullable(),
});
export interface License extends z.output<typeof License> {}

/** What an event leaves out: the content, which is secret, and what changes without an event. */
export const unsaid = {
  text: true,
  url: true,
  license_key: true,
  activation_limit: true,
  activation_usage: true,
  file_name: true,
  download_limit: true,
  downloads: true,
} as const satisfies Partial<Record<keyof Entitlement, true>>;
