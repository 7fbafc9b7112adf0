import { createSeenNames } from "../domain/text/seen-names.ts";
import { type OwnerContext, requireStore } from "./context.ts";

const known = createSeenNames(10_000);

/**
 * Throws `resource_not_found` for an unknown store, as `requireStore` does. A store that
 * was found once is not looked for again, because no call deletes a store: a dashboard
 * asks for many lists that are empty.
 */
export async function requireKnownStore(
  { storage }: Pick<OwnerContext, "storage">,
  store_id: string,
): Promise<void> {
  if (known.has(storage, store_id)) return;
  await requireStore({ storage }, store_id);
  known.add(storage, store_id);
}
