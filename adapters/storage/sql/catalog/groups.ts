import { sql } from "kysely";
import {
  type GroupCard,
  groupIn,
  withCard,
  withVariants,
} from "#core/rules/catalog/groups/group-documents.ts";
import { maxVariants } from "#core/rules/catalog/groups/product-groups.ts";
import type { Partition } from "#core/rules/records.ts";
import type { ProductRow } from "#core/storage/types.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareEach, prepareTextRowsEach } from "../engine/queries.ts";
import { jsonInteger } from "../schema/json-fields.ts";
import { currentRows } from "./current-document.ts";
import {
  documentColumn,
  documentTextRow,
  readDocumentRows,
  replicaVersion,
  requireFreshness,
} from "./owner/document-rows.ts";
import { availableMark } from "./owner/product-facets.ts";

interface GroupsQuery extends Partition {
  readonly catalog_version?: number | undefined;
}

/** Reads what groups add to the documents of their products. */
interface GroupReads {
  /** Adds its whole group to the document of a product of the group. */
  withGroup(query: GroupsQuery, group: string, document: string): Promise<string>;
  /** Adds the prices of its group to the document of each product that stands for one. */
  withCards(query: GroupsQuery, rows: readonly ProductRow[]): Promise<readonly ProductRow[]>;
}

export function prepareGroups(engine: SqlEngine, replica: boolean): GroupReads {
  const members = prepareMembers(engine, replica);
  const cards = prepareCards(engine, replica);
  const fresh = requireFreshness(replica);

  return {
    async withGroup({ catalog_version, ...partition }, group, document) {
      const { livemode, store_id } = partition;
      const query = members(livemode, { store_id, group });
      const textRows = await engine.readSharedTextRows(query);
      const rows = fresh(readDocumentRows(textRows), catalog_version);
      if (rows.length === 0) return document;

      const current = await currentRows(engine, partition, rows);
      const documents = current.map((row) => row.document);
      return withVariants(document, documents);
    },

    async withCards({ livemode, store_id, catalog_version }, rows) {
      const groups = [...new Set(rows.flatMap(({ document }) => groupIn(document) ?? []))];
      if (groups.length === 0) return rows;

      const values = Object.fromEntries(groups.map((group, index) => [`group_${index}`, group]));
      const shape = { livemode, count: groups.length };
      const found = fresh(
        await engine.read(() => many(cards(shape, { store_id, ...values }))),
        catalog_version,
      );
      const byGroup = new Map<string | null, GroupCard>(
        found.map(({ group_id, price_from, price_to, available }) => [
          group_id,
          {
            price_from: Number(price_from),
            price_to: Number(price_to),
            available: Number(available) === 1,
          },
        ]),
      );
      return rows.map((row) => {
        const card = byGroup.get(groupIn(row.document));
        return card ? { ...row, document: withCard(row.document, card) } : row;
      });
    },
  };
}

const prepareMembers = ({ db }: SqlEngine, replica: boolean) =>
  prepareTextRowsEach(
    (livemode: boolean) => String(livemode),
    (livemode, param) =>
      db
        .selectFrom("products")
        .select(documentTextRow({ livemode, replica }, param))
        .where("store_id", "=", param<string>("store_id"))
        .where("group_id", "=", param<string>("group"))
        .where("active", "=", sql.lit(1))
        .orderBy("position")
        .orderBy("id")
        .limit(sql.lit(maxVariants)),
  );

interface CardShape {
  readonly livemode: boolean;
  readonly count: number;
}

/** Sums up the products of groups in the database: only a row for each group is sent. */
const prepareCards = ({ db, dialect }: SqlEngine, replica: boolean) =>
  prepareEach(
    ({ livemode, count }: CardShape) => `${livemode}${count}`,
    ({ livemode, count }, param) => {
      const price = sql.raw<number>(jsonInteger(dialect.name, "record", "price"));
      const document = sql<string>`${sql.ref(documentColumn(livemode))}`;
      const isAvailable = dialect.contains(document, sql.lit(availableMark));
      const groups = Array.from({ length: count }, (_, index) => param<string>(`group_${index}`));
      return db
        .selectFrom("products")
        .select([
          "group_id",
          sql<number>`min(${price})`.as("price_from"),
          sql<number>`max(${price})`.as("price_to"),
          sql<number>`max(case when ${isAvailable} then 1 else 0 end)`.as("available"),
          ...replicaVersion(replica, param),
        ])
        .where("store_id", "=", param<string>("store_id"))
        .where("group_id", "in", groups)
        .where("active", "=", sql.lit(1))
        .groupBy("group_id");
    },
  );
