import { createHash } from "node:crypto";
import { product, productCount } from "./shared.ts";

export interface ProductRow {
  readonly id: string;
  readonly slug: string;
  readonly position: number;
  readonly name: string;
  readonly description: string;
  readonly price: number;
  readonly currency: string;
  readonly created: string;
}
export interface Access {
  readonly store: string;
  readonly version: number;
}
type Soon<T> = T | Promise<T>;

/** The hand-written limit does each of these with one statement. */
export interface LimitStore {
  findKey(hash: string): Soon<Access | undefined>;
  page(limit: number, offset: number): Soon<readonly ProductRow[]>;
  bySlug(slug: string): Soon<ProductRow | undefined>;
  byIds(ids: readonly string[]): Soon<readonly ProductRow[]>;
  findReply(store: string, key: string): Soon<{ readonly body: string } | undefined>;
  /** Writes session and reply, and never one of them alone. */
  create(store: string, key: string, fingerprint: string, id: string, body: string): Soon<unknown>;
}

export const sha = (text: string): string => createHash("sha256").update(text).digest("hex");
export const key = `hk_test_sec_${"x".repeat(49)}`;

export const tables = `
  create table keys (hash text primary key, store text, version integer);
  create table products (
    id text primary key, slug text unique, position integer, name text, description text,
    price integer, currency text, created text
  );
  create index in_order on products (position, id);
  create table sessions (id text primary key, record text);
  create table replies (
    store text, key text, fingerprint text, body text, primary key (store, key)
  );`;

export const productRows: readonly ProductRow[] = Array.from(
  { length: productCount },
  (_, index) => ({
    id: `prod_${String(index).padStart(26, "0")}`,
    ...product(index),
    created: "2026-01-01T00:00:00.000Z",
  }),
);
