import { z } from "zod";
import { Category, Product } from "../contract/schemas.ts";
import { isCleanText } from "../domain/text/plain.ts";

// A host names its products itself, so its ids need not have the form of ours.
const SourceProduct = z.object({ ...Product.shape, id: z.string().min(1).max(255) });
const SourceCategory = z.object({ ...Category.shape, id: z.string().min(1).max(255) });

/**
 * Reads a product of the `catalog` option. Fields that are no part of the contract
 * are dropped.
 */
export const readSourceProduct = (record: unknown): Product => read(SourceProduct, record);

/**
 * Reads a category of the `catalog` option. Fields that are no part of the contract
 * are dropped.
 */
export const readSourceCategory = (record: unknown): Category => read(SourceCategory, record);

function read<S extends z.ZodType>(schema: S, record: unknown): z.output<S> {
  const parsed = schema.safeParse(record);
  if (parsed.success) return withCleanTexts(parsed.data) as z.output<S>;

  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") ?? "";
  const isTime = issue?.code === "invalid_format" && issue.format === "datetime";
  const fault = isTime
    ? "write the time as `toISOString()` does, such as 2026-01-31T12:00:00.000Z"
    : issue?.message;
  throw new Error(`The catalog option gave a record whose ${field} is wrong: ${fault}`);
}

const unclean = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Puts U+FFFD in the place of what not every storage can hold: a host that cuts a text leaves half
 * of an emoji, and the order of such a product could not be written.
 */
function withCleanTexts(value: unknown): unknown {
  if (typeof value === "string")
    return isCleanText(value) ? value : value.replace(unclean, "\ufffd");
  if (Array.isArray(value)) return value.map(withCleanTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withCleanTexts(inner)]),
  );
}
