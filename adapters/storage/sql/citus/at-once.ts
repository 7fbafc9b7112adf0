/** So many statements of one call run at a time: each takes a connection of the pool. */
const maxAtOnce = 4;

/** Maps a list, a few items at a time, and keeps its order. It rejects as the first item does. */
export async function atOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();

  const runner = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(maxAtOnce, items.length) }, runner));
  return results;
}

/** The items by the store that each names. */
export function byStore<Item extends { readonly store_id: string }>(
  items: readonly Item[],
): ReadonlyMap<string, readonly Item[]> {
  const stores = new Map<string, Item[]>();
  for (const item of items) {
    const known = stores.get(item.store_id);
    if (known) known.push(item);
    else stores.set(item.store_id, [item]);
  }
  return stores;
}
