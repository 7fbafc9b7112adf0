import { fold } from "../../domain/text/fold.ts";
import { maxVariants } from "../../rules/catalog/groups/product-groups.ts";
import type { ProductRecord } from "../../rules/records.ts";
import { type Draft, withoutEmptyMarks } from "../catalog/product-drafts.ts";
import type { OwnerContext } from "../context.ts";
import type { ImportedArticle } from "./imported-product.ts";

/** A draft with the article of the other shop that its product is, or is a variant of. */
export interface DraftOfArticle {
  readonly draft: Draft;
  readonly article?: ImportedArticle | undefined;
}

/** Takes products off sale whose article a file sells in another form. */
export interface ReplacedProducts {
  /** Makes the drafts that must be stored together with these. */
  draftsBeside(drafted: readonly DraftOfArticle[]): Promise<readonly Draft[]>;
  /** Notes that these drafts were stored, or planned. */
  take(drafts: readonly Draft[]): void;
  /** Gives the slugs of the products that went off sale since the last call. */
  taken(): readonly string[];
}

interface Source {
  readonly ctx: OwnerContext;
  readonly store_id: string;
  /** The slugs of the products of the file so far, and of those that went off sale for them. */
  readonly kept: Set<string>;
}

const pageSize = 200;
/** The most active products of a store that is read whole. In others each group is looked up. */
const mostReadWhole = 10_000;

/**
 * Finds the single product of an article that now has variants, and the variants of one that is
 * now a single product. The file no longer names them.
 */
export function replacedProducts({ ctx, store_id, kept }: Source): ReplacedProducts {
  const { catalog } = ctx.storage;
  let slugs: string[] = [];
  let members: ReturnType<typeof activeMembers> | undefined;

  const singlesOf = async (
    articles: readonly ImportedArticle[],
  ): Promise<readonly ProductRecord[]> => {
    const names = articles.map(({ slug }) => slug);
    const foreign = new Set(articles.flatMap(({ external_id }) => external_id || []));
    if (names.length === 0) return [];
    const bySlug = await catalog.findProductRecords(store_id, names, "slug");
    const byForeign =
      foreign.size === 0
        ? []
        : await catalog.findProductRecords(store_id, [...foreign], "external_id");
    const isOther = ({ external_id }: ProductRecord): boolean =>
      foreign.size > 0 && Boolean(external_id) && !foreign.has(external_id ?? "");
    return [...byForeign, ...bySlug.filter((record) => !isOther(record))].filter(
      ({ group }) => !group,
    );
  };

  const variantsOf = async (
    articles: readonly ImportedArticle[],
  ): Promise<readonly ProductRecord[]> => {
    if (articles.length === 0) return [];
    members ??= activeMembers(ctx, store_id);
    const byGroup = await members;
    if (byGroup !== null) {
      const ids = articles.flatMap(({ slug }) => byGroup.get(slug) ?? []);
      return ids.length === 0 ? [] : catalog.findProductRecords(store_id, ids);
    }

    const found: ProductRecord[] = [];
    for (const { slug: group } of articles) {
      const query = { group, active: true, after: null, limit: maxVariants };
      found.push(...(await catalog.listProductRecords(store_id, query)));
    }
    return found;
  };

  return {
    async draftsBeside(drafted) {
      const arriving = drafted.filter(({ draft }) => isArriving(draft));
      const variants = arriving.flatMap(({ article }) => (article?.is_variant ? article : []));
      const singles = arriving.flatMap(({ draft, article }) =>
        article && isSingle(draft, article) ? article : [],
      );
      const found = [...(await singlesOf(variants)), ...(await variantsOf(singles))];
      const own = new Set(drafted.map(({ draft }) => draft.record.id));
      const skus = new Set(drafted.map(({ draft }) => fold(draft.record.sku ?? "")));
      const records = new Map(
        found
          .filter(({ id, slug, active }) => active && !own.has(id) && !kept.has(slug))
          .map((record) => [record.id, record]),
      );
      return [...records.values()].map((before) => draftOff(before, skus, ctx.now()));
    },
    take(drafts) {
      for (const { record } of drafts) {
        kept.add(record.slug);
        slugs.push(record.slug);
      }
    },
    taken() {
      const all = slugs;
      slugs = [];
      return all;
    },
  };
}

/** Tells whether a product goes on sale that was not: only it can take the place of another. */
const isArriving = ({ record, before }: Draft): boolean => record.active && !before?.active;

/** Tells a single product of an article from one that the owner has made a variant by hand. */
const isSingle = ({ record }: Draft, { slug, is_variant }: ImportedArticle): boolean =>
  !is_variant && record.group !== slug;

/** Makes a draft of a product, whose SKU goes to the one that takes its place with it. */
function draftOff(before: ProductRecord, skus: ReadonlySet<string>, now: number): Draft {
  const { sku, ...record } = before;
  const keepsSku = sku && !skus.has(fold(sku));
  return {
    record: withoutEmptyMarks({
      ...record,
      ...(keepsSku && { sku }),
      active: false,
      updated_at: now,
    }),
    before,
    set_stock: false,
    generated_slug: false,
    root: "",
  };
}

/**
 * Reads the ids of the active products of each group, because an import may ask for thousands of
 * groups. Gives null for a store that is too large to be read whole.
 */
async function activeMembers(
  { storage }: OwnerContext,
  store_id: string,
): Promise<ReadonlyMap<string, readonly string[]> | null> {
  const members = new Map<string, string[]>();
  for (let after: string | null = null, read = 0; read < mostReadWhole; read += pageSize) {
    const page: readonly ProductRecord[] = await storage.catalog.listProductRecords(store_id, {
      active: true,
      after,
      limit: pageSize,
    });
    for (const { id, group } of page)
      if (group) members.set(group, [...(members.get(group) ?? []), id]);

    const last = page.at(-1);
    if (!last || page.length < pageSize) return members;
    after = last.id;
  }
  return null;
}
