import { addressAdded, addressRemoved } from "#core/rules/audit/audit-changes.ts";
import { addAddress } from "#core/rules/owner/address-list.ts";
import type { AccessStore, AddressKind } from "#core/storage/types.ts";
import { fromJson } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { noteChange } from "../engine/note-change.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { lockStore } from "./lock-store.ts";

type Addresses = Pick<AccessStore, "addAddress" | "removeAddress" | "listAddresses">;
type AddResult = Awaited<ReturnType<AccessStore["addAddress"]>>;

/** Names the column of each list, which holds a JSON array. */
const columns = { origin: "origins", return_url: "return_urls" } as const;

/** Keeps the origins and return URLs of stores. */
export function sqlAddresses(engine: SqlEngine): Addresses {
  const { db } = engine;

  return {
    addAddress: (kind, store_id, value, max) =>
      engine.write(function* (): QueryGenerator<AddResult> {
        const row = yield* one(lockStore(engine, store_id));
        if (!row) return { outcome: "unknown_store" };

        const listed = fromJson<string[]>(row[columns[kind]]);
        const addition = addAddress(listed, value, max);
        if (addition.outcome === "limit") return { outcome: "limit" };

        const { addresses } = addition;
        if (addresses === listed) return { outcome: "added" };

        yield* writeAddresses(db, { kind, store_id, addresses });
        yield* noteChange(engine, addressAdded({ kind, store_id, address: value }));
        return { outcome: "added" };
      }),

    removeAddress: (kind, store_id, value) =>
      engine.write(function* (): QueryGenerator<boolean> {
        const row = yield* one(lockStore(engine, store_id));
        const listed = row ? fromJson<string[]>(row[columns[kind]]) : [];
        if (!listed.includes(value)) return false;

        const addresses = listed.filter((other) => other !== value);
        yield* writeAddresses(db, { kind, store_id, addresses });
        yield* noteChange(engine, addressRemoved({ kind, store_id, address: value }));
        return true;
      }),

    listAddresses: (kind, store_id) =>
      engine.read(function* (): QueryGenerator<readonly string[]> {
        const row = yield* one(
          db.selectFrom("stores").select(["origins", "return_urls"]).where("id", "=", store_id),
        );
        return row ? fromJson<string[]>(row[columns[kind]]) : [];
      }),
  };
}

interface AddressList {
  readonly kind: AddressKind;
  readonly store_id: string;
  readonly addresses: readonly string[];
}

function* writeAddresses(db: Db, { kind, store_id, addresses }: AddressList): QueryGenerator<void> {
  const list = JSON.stringify(addresses);
  yield* many(
    db
      .updateTable("stores")
      .set(kind === "origin" ? { origins: list } : { return_urls: list })
      .where("id", "=", store_id),
  );
}
