import { z } from "zod";
import { Category, Product } from "../contract/schemas.ts";
import { cleanText, mapTexts } from "../domain/text/plain.ts";

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
  // A host that cuts a text leaves half of an emoji, and not every storage could hold the order.
  if (parsed.success) return mapTexts(parsed.data, cleanText);

  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") ?? "";
  const isTime = issue?.code === "invalid_format" && issue.format === "datetime";
  const fault = isTime
    ? "write the time as `toISOString()` does, such as 2026-01-31T12:00:00.000Z"
    : issue?.message;
  throw new Error(`The catalog option gave a record whose ${field} is wrong: ${fault}`);
}
