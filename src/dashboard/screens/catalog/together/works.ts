import type { OwnerCategory } from "../../../../owner/catalog/categories.ts";
import type { ProductChanges } from "../../../../owner/catalog/product-input.ts";
import type { OwnerProduct } from "../../../../owner/catalog/products.ts";
import { amountText, countText } from "../../../format.ts";
import { readNumber } from "../../../forms/form-field.ts";
import type { TextName } from "../../../language.ts";
import type { StoreVisit } from "../../../screen.ts";

// What can be done with several products at once. Each work says what it needs to know, how it
// changes a product, and what of the product it shows.

/** What was typed beside a work. */
export interface Given {
  readonly value: string;
  readonly locale: string;
}

/** What a work does with one product. Null leaves the product as it is. */
export type Outcome = { readonly changes: ProductChanges | null } | { readonly fault: TextName };

export interface Work {
  readonly label: TextName;
  /** The field that must be filled first. */
  readonly needs: "percent" | "amount" | "category" | "stock" | null;
  /** False for stock: pieces may be sold meanwhile, so the earlier number must not come back. */
  readonly hasUndo: boolean;
  change(product: OwnerProduct, given: Given): Outcome;
  /** Gives the changes that put back what a work has changed. */
  back(product: OwnerProduct): ProductChanges;
  show(visit: StoreVisit, product: OwnerProduct, categories: readonly OwnerCategory[]): string;
}

const setActive =
  (active: boolean) =>
  (product: OwnerProduct): Outcome => ({
    changes: product.active === active ? null : { active },
  });

const shownState = ({ language }: StoreVisit, { active }: OwnerProduct): string =>
  language.say(active ? "state_published" : "state_draft");

const shownPrice: Work["show"] = (visit, { price, currency }) => amountText(visit, price, currency);

/** Gives the outcome for a price. Halves of a minor unit are rounded up. */
function priced({ price }: OwnerProduct, next: number): Outcome {
  if (next < 0) return { fault: "together_below" };
  if (!Number.isSafeInteger(next)) return { fault: "fault_amount" };
  return { changes: next === price ? null : { price: next } };
}

/** A percentage has two decimals at most, so that it is exact in hundredths. */
const hundredths = 10_000;

function byPercent(product: OwnerProduct, { value, locale }: Given): Outcome {
  const read = readNumber(value.replace(/\s*%$/, ""), locale, null);
  if ("fault" in read) return read;
  const parts = Number(read.value) * 100;
  const percent = Math.round(parts);
  if (Math.abs(parts - percent) > 1e-6 || Math.abs(percent) > 100 * hundredths)
    return { fault: "fault_number" };

  const scaled = BigInt(product.price) * BigInt(hundredths + percent);
  const half = BigInt(hundredths / 2);
  const next = scaled < 0n ? -1 : Number((scaled + half) / BigInt(hundredths));
  return priced(product, next);
}

function byAmount(product: OwnerProduct, { value, locale }: Given): Outcome {
  const isLower = /^[-\u2212]/.test(value);
  const read = readNumber(isLower ? value.slice(1) : value, locale, product.currency);
  if ("fault" in read) return read;
  const amount = Number(read.value);
  return priced(product, product.price + (isLower ? -amount : amount));
}

const shownCategories: Work["show"] = (_visit, { category_ids }, categories) =>
  categories
    .filter(({ id }) => category_ids.includes(id))
    .map(({ name }) => name)
    .join(", ") || "—";

const backToCategories = ({ category_ids }: OwnerProduct): ProductChanges => ({ category_ids });
const backToPrice = ({ price }: OwnerProduct): ProductChanges => ({ price });
const backToState = ({ active }: OwnerProduct): ProductChanges => ({ active });

export const works = {
  publish: {
    label: "together_publish",
    needs: null,
    hasUndo: true,
    change: setActive(true),
    back: backToState,
    show: shownState,
  },
  unpublish: {
    label: "together_unpublish",
    needs: null,
    hasUndo: true,
    change: setActive(false),
    back: backToState,
    show: shownState,
  },
  price_percent: {
    label: "together_price_percent",
    needs: "percent",
    hasUndo: true,
    change: byPercent,
    back: backToPrice,
    show: shownPrice,
  },
  price_amount: {
    label: "together_price_amount",
    needs: "amount",
    hasUndo: true,
    change: byAmount,
    back: backToPrice,
    show: shownPrice,
  },
  category_add: {
    label: "together_category_add",
    needs: "category",
    hasUndo: true,
    change: ({ category_ids }, { value }) =>
      category_ids.includes(value)
        ? { changes: null }
        : { changes: { category_ids: [...category_ids, value] } },
    back: backToCategories,
    show: shownCategories,
  },
  category_remove: {
    label: "together_category_remove",
    needs: "category",
    hasUndo: true,
    change: ({ category_ids }, { value }) =>
      category_ids.includes(value)
        ? { changes: { category_ids: category_ids.filter((id) => id !== value) } }
        : { changes: null },
    back: backToCategories,
    show: shownCategories,
  },
  stock: {
    label: "together_stock",
    needs: "stock",
    hasUndo: false,
    change(_product, { value, locale }) {
      const read = readNumber(value, locale, null);
      if ("fault" in read) return read;
      const stock = Number(read.value);
      const isWhole = Number.isInteger(stock) && stock >= 0 && stock <= 1_000_000_000;
      // The same number is set again too: pieces of it may be sold.
      return isWhole ? { changes: { stock } } : { fault: "fault_number" };
    },
    back: () => ({}),
    show: (visit, { stock }) =>
      stock === null ? visit.language.say("stock_uncounted") : countText(visit, stock),
  },
} as const satisfies Readonly<Record<string, Work>>;

export type WorkName = keyof typeof works;

export const workNames = Object.keys(works) as readonly WorkName[];

export const isWork = (name: string | null): name is WorkName =>
  name !== null && Object.hasOwn(works, name);
