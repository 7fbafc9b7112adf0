import type { OwnerExport } from "../../owner/exports/open-export.ts";
import type { WireReply } from "../wire.ts";

/**
 * Answers with an export as a file to be saved. `onError` is told of a failure that
 * breaks off the answer in the middle.
 */
export const exportReply = (
  { body, contentType, filename }: OwnerExport,
  onError: (error: unknown) => void,
): WireReply => ({
  status: 200,
  headers: {
    "content-type": contentType,
    "content-disposition": `attachment; filename="${filename}"`,
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
  },
  body: { [Symbol.asyncIterator]: () => reported(body, onError) },
});

async function* reported(
  body: AsyncIterable<Uint8Array>,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    onError(error);
    throw error;
  }
}
