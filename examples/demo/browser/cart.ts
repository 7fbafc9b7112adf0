import type { Product } from "vitrine/client";

/** A product as the cart shows it. The checkout asks the shop for the price again. */
export interface CartLine {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly image: string | null;
  readonly price: number;
  readonly currency: string;
  readonly available: boolean;
  readonly quantity: number;
}

const name = "vitrine-cart";
let lines: readonly CartLine[] = stored();
const watchers: (() => void)[] = [];

export const cartLines = (): readonly CartLine[] => lines;

export const cartItems = (): { product_id: string; quantity: number }[] =>
  lines.map(({ id, quantity }) => ({ product_id: id, quantity }));

/** Calls the function after each change, also after a change in another tab. */
export const watchCart = (watcher: () => void): void => void watchers.push(watcher);

export function addToCart(product: Product): void {
  const known = lines.find(({ id }) => id === product.id);
  const line = lineOf(product, (known?.quantity ?? 0) + 1);
  save(known ? lines.map((each) => (each === known ? line : each)) : [...lines, line]);
}

/** Sets how many of a product are in the cart; 0 removes it. */
export const setQuantity = (id: string, quantity: number): void =>
  save(
    lines
      .map((line) => (line.id === id ? { ...line, quantity } : line))
      .filter((line) => line.quantity > 0),
  );

/** Updates prices, names and stock of the lines. A product that is gone is null in the map. */
export function refreshCart(products: ReadonlyMap<string, Product | null>): void {
  const fresh = lines.map((line) => {
    const product = products.get(line.id);
    if (product === undefined) return line;
    return product === null ? { ...line, available: false } : lineOf(product, line.quantity);
  });
  if (JSON.stringify(fresh) !== JSON.stringify(lines)) save(fresh);
}

export const emptyCart = (): void => save([]);

/** Reads what another tab stored, or what an earlier page stored before "back". */
export function reloadCart(): void {
  lines = stored();
  for (const watcher of watchers) watcher();
}

const lineOf = (product: Product, quantity: number): CartLine => ({
  id: product.id,
  slug: product.slug,
  name: product.name,
  image: product.images[0] ?? null,
  price: product.price,
  currency: product.currency,
  available: product.available,
  quantity,
});

function save(next: readonly CartLine[]): void {
  lines = next;
  try {
    localStorage.setItem(name, JSON.stringify(lines));
  } catch {
    // The browser allows no storage, so the cart is lost with the page.
  }
  for (const watcher of watchers) watcher();
}

function stored(): readonly CartLine[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}
