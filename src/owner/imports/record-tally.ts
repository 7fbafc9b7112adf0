import type { CategoryBook } from "./category-book.ts";
import type {
  ReadProduct,
  RecordCounts,
  RecordOutcome,
  RecordProgress,
  RowFault,
} from "./imported-product.ts";
import { rowsPerTransaction } from "./store-rows.ts";

/** Counts what becomes of records. */
export interface Tally {
  /** Counts outcomes and tells the caller of them. */
  add(outcomes: readonly RecordOutcome[]): Promise<void>;
  counts(): RecordCounts;
}

export function createTally(
  book: CategoryBook,
  tell: ((progress: RecordProgress) => void | Promise<void>) | undefined,
): Tally {
  const sum = { created: 0, updated: 0, unchanged: 0, refused: 0, deactivated: 0 };
  const counts = (): RecordCounts => ({ ...sum, categories_created: book.created() });
  return {
    async add(outcomes) {
      for (const { outcome } of outcomes) sum[outcome] += 1;
      await tell?.({ ...counts(), outcomes });
    },
    counts,
  };
}

export const refusedOutcome = (
  { line, column, message }: RowFault,
  slug: string | null,
): RecordOutcome => ({
  line,
  slug,
  outcome: "refused",
  fields: [],
  column,
  message,
  notes: [],
});

/** Cuts records into chunks, each of one transaction. */
export async function* chunksOf(
  records: AsyncIterable<ReadProduct>,
): AsyncGenerator<readonly ReadProduct[]> {
  let chunk: ReadProduct[] = [];
  for await (const read of records) {
    chunk.push(read);
    if (chunk.length < rowsPerTransaction) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
