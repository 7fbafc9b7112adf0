import { fail, isApiError } from "#core/contract/errors.ts";
import type { WriteRefusal } from "#core/storage/reads/gauges-store.ts";
import { isForbidden, refusalOf } from "../engine/failures.ts";

/** Says that a migration fails for a reason that stays: the database refuses its writes. */
export async function explainRefusal(migrating: Promise<void>): Promise<void> {
  try {
    await migrating;
  } catch (error) {
    const cause = isApiError(error) ? error.details.cause : error;
    if (isForbidden(cause))
      fail("invalid_option", {
        param: "storage",
        message: `The database role lacks a right that migrate() needs: ${cause.message}.`,
        cause,
      });

    const refusal = refusalOf(cause);
    if (refusal === null) throw error;
    const { code, message } = cause as Error & { readonly code: unknown };
    const isMoved = code === "SQLITE_READONLY_DBMOVED";
    fail("invalid_option", {
      param: "storage",
      message: isMoved ? message : words[refusal],
      cause,
    });
  }
}

const words: Readonly<Record<WriteRefusal, string>> = {
  read_only:
    "The database is read-only, and migrate() has to write: give it one that takes writes.",
  disk_full: "The disk of the database is full, and migrate() has to write: make room.",
};
