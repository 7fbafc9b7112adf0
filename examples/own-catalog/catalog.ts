import type { CatalogSource, SourceProduct } from "vitrine";
import { type Database, inTransaction } from "./database.ts";

/** The shop already had these tables: nothing in them was made for this library. */
export const schema = `
  create table if not exists articles (sku text primary key, slug text unique, title text not null, cents integer not null, on_shelf integer not null, department text not null, added text not null);
  create table if not exists pieces (order_id text, sku text, count integer not null, sold integer not null default 0, kept_until text not null, primary key (order_id, sku));`;

interface Article {
  readonly sku: string;
  readonly slug: string;
  readonly title: string;
  readonly cents: number;
  readonly free: number;
  readonly department: string;
  readonly added: string;
}

// A reservation ends by itself: its pieces are free after its time, whoever has died meanwhile.
const reserved = `p.sold = 0 and p.kept_until > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
const articles = `select a.*, a.on_shelf - coalesce((select sum(count) from pieces p where p.sku = a.sku and ${reserved}), 0) as free from articles a`;

const show = ({ sku, slug, title, cents, free, department, added }: Article): SourceProduct => ({
  id: sku,
  slug,
  name: title,
  description: null,
  images: [],
  price: cents,
  compare_at_price: null,
  currency: "BRL",
  available: free > 0,
  promotion: null,
  category_ids: [department],
  variables: [],
  recurring: null,
  max_quantity: null,
  created_at: added,
  updated_at: added,
});

/** Serves the API from those tables. There is one shop, so `store_id` is ignored. */
export function ownCatalog(db: Database): CatalogSource {
  const list =
    db.prepare<Article>(`${articles} where (:department is null or department = :department)
    and (:search is null or instr(lower(title), lower(:search)) > 0) and sku > :after order by sku limit :limit offset :offset`);
  const find = db.prepare<Article>(`${articles} where sku = ? or slug = ? limit 1`);
  const keep = db.prepare(
    "insert into pieces (order_id, sku, count, kept_until) values (?, ?, ?, ?) on conflict do update set count = count + excluded.count",
  );
  const sold = db.prepare("select 1 from pieces where order_id = ? and sold = 1");
  const drop = db.prepare("delete from pieces where order_id = ? and sold = 0");

  return {
    async list({ category, category_id, search = null, after = "", offset = 0, limit }) {
      const department = category ?? category_id ?? null;
      const rows = list.all({ department, search, after, offset, limit: limit + 1 });
      return {
        products: rows.slice(0, limit).map(show),
        next: rows.length > limit ? (rows[limit - 1]?.sku ?? null) : null,
      };
    },
    async find({ id_or_slug }) {
      const article = find.get(id_or_slug, id_or_slug);
      return article ? show(article) : null;
    },
    async categories() {
      const rows = db
        .prepare<Pick<Article, "department" | "added">>(
          "select department, min(added) as added from articles group by 1 order by 1",
        )
        .all();
      return rows.map(({ department, added }, position) => ({
        id: department,
        slug: department,
        name: department,
        description: null,
        image_url: null,
        parent_id: null,
        position,
        created_at: added,
        updated_at: added,
      }));
    },
    async cart({ product_ids }) {
      const rows = product_ids.flatMap((id) => find.get(id, "") ?? []);
      return rows.map((article) => ({ product: show(article), on_hand: article.free }));
    },
    // Each function is one transaction. The rows of the order say what was done, so that a repeat
    // changes nothing.
    async reserve({ order_id, lines, expires_at }) {
      const reserve = (): void => {
        if (sold.get(order_id)) return;
        drop.run(order_id);
        for (const { product_id, quantity } of lines) {
          if ((find.get(product_id, "")?.free ?? 0) < quantity) throw new Error("sold out");
          keep.run(order_id, product_id, quantity, expires_at);
        }
      };
      try {
        inTransaction(db, reserve);
        return true;
      } catch (error) {
        if ((error as Error).message === "sold out") return false;
        throw error;
      }
    },
    async confirm({ order_id, lines }) {
      inTransaction(db, () => {
        if (sold.get(order_id)) return;
        // The pieces are sold even if none were reserved, because the order is paid.
        drop.run(order_id);
        for (const { product_id, quantity } of lines) {
          keep.run(order_id, product_id, quantity, "");
          db.prepare("update articles set on_shelf = on_shelf - ? where sku = ?").run(
            quantity,
            product_id,
          );
        }
        db.prepare("update pieces set sold = 1 where order_id = ?").run(order_id);
      });
    },
    async release({ order_id }) {
      drop.run(order_id);
    },
  };
}
