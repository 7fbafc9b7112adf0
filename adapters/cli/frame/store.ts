import type { Partition } from "#core/rules/records.ts";
import { end } from "./exit.ts";
import type { Host } from "./host.ts";
import type { Input } from "./input.ts";
import { oneLine } from "./table-lines.ts";

/** The store and mode that a command is about. */
export interface NamedStore extends Partition {
  readonly name: string;
}

/** Gives what the owner's services name a store and mode by. They refuse the name beside it. */
export const partitionOf = ({ store_id, livemode }: NamedStore): Partition => ({
  store_id,
  livemode,
});

/** Finds the store of `--store`, by id or slug, or the only one that there is. */
export async function findStore({ storefront }: Host, input: Input): Promise<NamedStore> {
  const livemode = input.flag("live");
  const wanted = input.text("store") ?? process.env["VITRINE_STORE"];
  const { stores } = storefront.owner;
  const { data } = await stores.list({ limit: 11, ...(wanted && { search: wanted }) });

  const exact = data.find(({ id, slug }) => id === wanted || slug === wanted);
  const found = wanted === undefined && data.length === 1 ? data[0] : exact;
  if (found) return { store_id: found.id, name: oneLine(found.name), livemode };

  if (wanted !== undefined) return end("usage", `There is no store ${wanted}.`);
  if (data.length === 0)
    return end("usage", "There is no store yet. Make one: vitrine seed, or vitrine stores create.");
  const names = data.slice(0, 10).map(({ id, name }) => `  ${id}  ${oneLine(name)}`);
  return end("usage", ["Say which store, with --store:", ...names].join("\n"));
}

export const modeName = (livemode: boolean): string => (livemode ? "live mode" : "test mode");
