import { z } from "zod";

/** A whole number from 1. */
export const whole = z
  .string()
  .regex(/^[1-9][0-9]{0,8}$/, "must be a whole number from 1")
  .transform(Number)
  .meta({ type: "integer", minimum: 1, maximum: 999_999_999 });
/** The number of rows of a page, unless the caller asks for another number, at most 100. */
export const defaultPageSize = 20;
export const limit = whole
  .refine((value) => value <= 100, "must be from 1 to 100")
  .meta({ type: "integer", minimum: 1, maximum: 100, default: defaultPageSize })
  .optional();
/** Ids are opaque. An id that is too long cannot exist, and gives 404 without a look-up. */
export const pathId = z.string();
/** A cursor of the host's own catalog may have 255 characters, of up to three bytes each. */
export const cursor = z.string().min(1, "must not be empty").max(2048, "is too long").optional();
/** What a buyer has typed. */
export const searchText = z
  .string()
  .min(1, "must have 1 to 100 characters")
  .max(100, "must have 1 to 100 characters");
export const filter = z.string().min(1, "must not be empty").max(255, "is too long").optional();
/** Names of what is counted, with commas between them. */
export const facets = z
  .string()
  .regex(
    /^(category|price|available)(,(category|price|available))*$/,
    "must be category, price or available, or several with commas between them",
  );
