import { z } from "zod";

const nullableText = z.string().nullable();
const nullableCount = z.int().nullable();

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
      created_at: z.iso.datetime({ precision: 3 }),
    })
    .nullable(),
});
export interface License extends z.output<typeof License> {}
