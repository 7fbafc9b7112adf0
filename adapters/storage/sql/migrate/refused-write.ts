import { fail, isApiError } from "#core/contract/errors.ts";
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
    fail("invalid_option", {
      param: "storage",
      message:
        refusal === "read_only"
          ? "The database is read-only, and migrate() has to write: give it one that takes writes."
          : "The disk of the database is full, and migrate() has to write: make room.",
      cause,
    });
  }
}
