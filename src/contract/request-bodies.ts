import { z } from "zod";

/** A client may write `null` for a field that it leaves out. */
const optional = <T extends z.ZodType>(schema: T) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();

const item = z.object({
  product_id: z.string().min(1, "must not be empty").max(255, "is too long"),
  quantity: z
    .int("must be a whole number")
    .min(1, "must be from 1 to 999")
    .max(999, "must be from 1 to 999"),
});

/** Counts the entries before they are checked: thousands of faults take a tenth of a second. */
const atMost = <T extends z.ZodType>(most: number, message: string, schema: T): T =>
  z.preprocess((value, check) => {
    const isTooLong = typeof value === "object" && Object.keys(value ?? {}).length > most;
    if (isTooLong) check.addIssue({ code: "custom", message });
    return value;
    // The value stays as it is, so the result has the types of the inner schema.
  }, schema) as z.ZodType as T;

const lines = "must have 1 to 100 lines";
const items = <T extends z.ZodType>(line: T) =>
  atMost(100, lines, z.array(line).min(1, lines).max(100, lines));
const code = z.string().min(1, "must not be empty").max(100, "is too long");
// Only the length is checked here: the operation checks that the URL is registered.
const url = z.string().min(1, "must not be empty").max(2048, "must be at most 2048 characters");

const metadata = atMost(
  50,
  "must have at most 50 keys",
  z
    .record(
      z.string(),
      z.union(
        [z.string().max(500, "must be at most 500 characters"), z.number(), z.boolean()],
        "must be text, a number or true or false",
      ),
    )
    .superRefine((value, check) => {
      if (Object.keys(value).some((key) => [...key].length > 40 || key === ""))
        check.addIssue({ code: "custom", message: "must have keys of 1 to 40 characters" });
      if (new TextEncoder().encode(JSON.stringify(value)).length > 16_384)
        check.addIssue({ code: "custom", message: "must be at most 16 KiB" });
    })
    .meta({ maxProperties: 50, propertyNames: { minLength: 1, maxLength: 40 } }),
);

const addressPart = String.raw`[^\s@<>(),;:"\\[\]\u0000-\u001f\u007f-\u009f]+`;
const email = z
  .string()
  .max(254, "is too long")
  .regex(new RegExp(`^${addressPart}@${addressPart}$`), "must be an e-mail address");
const discord_id = z.string().min(1, "must not be empty").max(64, "is too long");
const checkoutItems = items(
  item.extend({ variables: optional(z.record(z.string(), z.unknown())) }),
);

export const CheckoutRequest = z.object({
  items: checkoutItems,
  success_url: url,
  cancel_url: url,
  customer: optional(z.object({ email: optional(email), discord_id: optional(discord_id) })),
  coupon_code: optional(code),
  trial: optional(z.boolean("must be true or false")),
  metadata: optional(metadata),
});

/**
 * Names what changes of an open session. What is left out stays; `null` takes the coupon or a
 * fact of the customer away.
 */
export const CheckoutChange = z
  .object({
    items: optional(checkoutItems),
    customer: optional(
      z.object({
        email: email.nullable().optional(),
        discord_id: discord_id.nullable().optional(),
      }),
    ),
    coupon_code: code.nullable().optional(),
    expected_version: optional(z.int("must be a whole number").min(1, "must be at least 1")),
  })
  .refine(
    ({ items, customer, coupon_code }) =>
      items !== undefined || customer !== undefined || coupon_code !== undefined,
    { path: ["items"], message: "is required unless customer or coupon_code is given" },
  );

export const CouponRequest = z.object({ code, items: items(item) });

const license_key = z.string().min(1, "must not be empty").max(255, "is too long");
const instance_id = z.string().min(1, "must not be empty").max(64, "is too long");

export const LicenseRequest = z.object({ license_key, instance_id: optional(instance_id) });
export const LicenseActivation = z.object({
  license_key,
  instance_name: z.string().min(1, "must not be empty").max(100, "is too long"),
});
export const LicenseDeactivation = z.object({ license_key, instance_id });

export interface CheckoutRequestInput extends z.input<typeof CheckoutRequest> {}
export interface CheckoutChangeInput extends z.input<typeof CheckoutChange> {}
export interface CouponRequestInput extends z.input<typeof CouponRequest> {}
export interface LicenseRequestInput extends z.input<typeof LicenseRequest> {}
export interface LicenseActivationInput extends z.input<typeof LicenseActivation> {}
export interface LicenseDeactivationInput extends z.input<typeof LicenseDeactivation> {}
