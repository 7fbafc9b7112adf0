import type { CommandRow } from "../frame/command.ts";
import { catalogRows } from "./catalog/rows.ts";
import { eventGroups, eventRows } from "./events/rows.ts";
import { hostRows } from "./host/rows.ts";
import { shopGroups, shopRows } from "./shop/rows.ts";
import { startRows } from "./start/rows.ts";
import { toolRows } from "./tools/rows.ts";

/** Every command, in the order of the help. */
export const commands: readonly CommandRow[] = [
  ...startRows,
  ...hostRows,
  ...eventRows,
  ...shopRows,
  ...catalogRows,
  ...toolRows,
];

/** Says what the commands of a group are about, by their first word. */
export const groups: Readonly<Record<string, string>> = { ...eventGroups, ...shopGroups };
