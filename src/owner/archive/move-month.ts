import { iso } from "../../domain/text/iso.ts";
import { type MonthOf, rangeOfMonth } from "../../rules/archive/month.ts";
import {
  isCounted,
  reasonToStay,
  type StayReason,
  type WholeOrder,
} from "../../rules/archive/stay.ts";
import { ordersArchived } from "../../rules/audit/audit-changes.ts";
import type { PaidSpan } from "../../rules/owner/sales.ts";
import type { OrderRecord } from "../../rules/records.ts";
import { type FoundWhole, removeArchived } from "../../steps/archive-steps.ts";
import type { OwnerContext } from "../context.ts";
import { lineOf, readLine } from "./archived-order.ts";
import { type ArchiveHold, holdArchive } from "./hold-archive.ts";
import {
  type ArchiveFiles,
  type ArchiveManifest,
  eachManifest,
  folderOf,
  newName,
  readLines,
  rewritePart,
  writePart,
} from "./parts.ts";

/** What a call has moved out. */
export interface MoveResult {
  readonly month: string;
  /** False when the signal has ended the call early: call again. */
  readonly complete: boolean;
  /** The orders that were removed, which are in the files. */
  readonly moved: number;
  /** The orders that stay, by the reason. */
  readonly stayed: Readonly<Partial<Record<StayReason, number>>>;
  /** The files that this call has written. */
  readonly written: readonly ArchiveManifest[];
}

/** The most orders of a file, some 15 MB: a file is held in memory as a whole. */
const ordersPerFile = 5_000;
const ordersPerPage = 100;
/** The number of orders that are read or removed at a time, each in a transaction of its own. */
const atOnce = 4;

/** What a call does its work with. */
interface Move extends MonthOf {
  readonly ctx: OwnerContext;
  readonly files: ArchiveFiles;
  readonly hold: ArchiveHold;
  readonly signal: AbortSignal | undefined;
  /** The time by which all orders are judged and shown. */
  readonly now: number;
  /** The payments whose sales outlive their orders. */
  readonly kept: PaidSpan | null;
}

/** Moves the orders of a month that are over: into files first, and then out of the storage. */
export const moveMonth = (
  ctx: OwnerContext,
  month: MonthOf,
  files: ArchiveFiles,
  signal?: AbortSignal,
): Promise<MoveResult> =>
  holdArchive(ctx, month.store_id, async (hold) => {
    const { now } = await ctx.clock.of(month);
    const kept = await readKept(ctx, month);
    const move: Move = { ...month, ctx, files, hold, signal, now, kept };
    const stayed = new Map<StayReason, number>();
    const count = (reason: StayReason): void => {
      stayed.set(reason, (stayed.get(reason) ?? 0) + 1);
    };

    const ids = await idsOfMonth(move);
    let moved = await finishFiles(move, new Set(ids));
    const written: ArchiveManifest[] = [];
    for await (const lines of filesOf(move, ids, count)) {
      written.push(await store(move, lines));
      moved += await removeLines(move, lines.map(withoutEnd), () => count("changed"));
    }

    return {
      month: month.month,
      complete: signal?.aborted !== true,
      moved,
      stayed: Object.fromEntries([...stayed].sort()),
      written,
    };
  });

/** Reads how far the sales are counted. An empty span of sales costs the storage nothing. */
async function readKept({ storage }: OwnerContext, { store_id, livemode }: MonthOf) {
  const nothing = { from: 0, to: 0, sales: { before: 0, top: 1 } };
  const { sales } = await storage.stats.listHours({ store_id, livemode, ...nothing });
  return sales?.kept ?? null;
}

/** Lists the orders of the month, the oldest first, before any of them is removed. */
async function idsOfMonth(move: Move): Promise<readonly string[]> {
  const { ctx, hold, store_id, livemode, month, signal } = move;
  const { from: created_from = 0, to: created_to = 0 } = rangeOfMonth(month) ?? {};
  const range = { store_id, livemode, created_from, created_to, oldest_first: true as const };
  const ids: string[] = [];

  while (!signal?.aborted) {
    await hold.keep();
    const after = ids.at(-1);
    const page = { ...range, limit: ordersPerPage, ...(after !== undefined && { after }) };
    const found = await ctx.storage.backOffice.searchOrders(page);
    if (found.outcome !== "listed") {
      // The last order that was read was deleted with the test data: the list begins anew.
      ids.length = 0;
      continue;
    }

    ids.push(...found.orders.slice(0, ordersPerPage).map(({ id }) => id));
    if (found.orders.length <= ordersPerPage) break;
  }
  return ids;
}

/**
 * Removes the orders that are in a file and still in the database: a call was killed before it
 * removed them, or a backup has brought them back. A killed call may have left its file unsafe, so
 * the file is written again first.
 */
async function finishFiles(move: Move, left: ReadonlySet<string>): Promise<number> {
  const { ctx, files, hold, month } = move;
  if (left.size === 0) return 0;

  let removed = 0;
  for await (const { name, manifest } of eachManifest(files, folderOf(move, month))) {
    await hold.note(move);
    const lines = await readLines(files, manifest);
    const ofLeft = lines.filter((line) => left.has(readLine(line).id));
    if (ofLeft.length === 0) continue;

    await rewritePart(files, name, { manifest, lines, random: ctx.randomBytes(9) });
    removed += await removeLines(move, ofLeft, () => {});
  }
  return removed;
}

/** Gives the lines of each file to be. An order that stays is counted by its reason. */
async function* filesOf(
  move: Move,
  ids: readonly string[],
  count: (reason: StayReason) => void,
): AsyncGenerator<readonly string[]> {
  let lines: string[] = [];
  for (let first = 0; first < ids.length && !move.signal?.aborted; first += atOnce) {
    await move.hold.keep();
    const judged = ids.slice(first, first + atOnce).map((id) => judge(move, id));
    for (const found of await Promise.all(judged)) {
      if (found && "line" in found) lines.push(found.line);
      if (found && "stays" in found) count(found.stays);
    }
    if (lines.length < ordersPerFile) continue;

    yield lines;
    lines = [];
  }
  if (lines.length > 0) yield lines;
}

/** Gives the line of an order that is over, or why it stays. Null for one that is gone. */
async function judge(
  move: Move,
  order_id: string,
): Promise<{ readonly line: string } | { readonly stays: StayReason } | null> {
  const whole = await readWhole(move, order_id);
  if (!whole) return null;
  const { kept, now } = move;
  const isRunning = await paysRunning(move, whole.order);
  const stays = reasonToStay(whole, { isRunning, kept, now });
  return stays === null ? { line: lineOf(whole, now) } : { stays };
}

async function readWhole({ ctx, store_id, livemode }: Move, order_id: string) {
  const { backOffice, checkout } = ctx.storage;
  const partition = { store_id, livemode };
  const history = await backOffice.findHistory(partition, order_id);
  const session_id = history?.order.session_id ?? null;
  const found = session_id === null ? null : await checkout.findSession(partition, session_id);
  return history && { ...history, session: found?.session ?? null };
}

/** Tells whether the order paid a period of a subscription that has not ended. */
async function paysRunning({ ctx }: Move, order: OrderRecord): Promise<boolean> {
  if (order.subscription_id === null) return false;
  const found = await ctx.storage.orders.find("subscription", order, order.subscription_id);
  return found !== null && (found.ended_at === null || found.forget != null);
}

/** Writes a file, and tells the store and the audit log of it before anything is removed. */
async function store(move: Move, lines: readonly string[]): Promise<ArchiveManifest> {
  const { ctx, files, hold, store_id, livemode, month } = move;
  const part = { store_id, livemode, month, written_at: iso(ctx.now()) };
  const manifest = await writePart(files, part, lines, (numbers) =>
    newName(folderOf(move, month), numbers, ctx.randomBytes(9)),
  );
  const { orders, file } = manifest;
  await hold.note({ livemode, month });
  await ctx.storage.audit.note(ordersArchived(move, { month, orders, file }));
  return manifest;
}

/** Removes the orders of lines that are still as their lines say, and gives how many. */
async function removeLines(
  move: Move,
  lines: readonly string[],
  onChanged: () => void,
): Promise<number> {
  const { ctx, store_id, livemode, hold, signal, now, kept } = move;
  let removed = 0;
  let next = 0;
  const remove = async (): Promise<void> => {
    for (let line = lines[next++]; line !== undefined && !signal?.aborted; line = lines[next++]) {
      await hold.keep();
      const written = `${line}\n`;
      const mayGo = (found: FoundWhole): boolean =>
        isCounted(found.order, kept) && lineOf(wholeOf(found), now) === written;
      const command = { store_id, livemode, order_id: readLine(line).id };
      const outcome = await removeArchived(ctx.storage.orders, command, mayGo);
      if (outcome === "removed") removed += 1;
      if (outcome === "changed") onChanged();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, remove));
  return removed;
}

const withoutEnd = (line: string): string => line.slice(0, -1);
const wholeOf = (found: FoundWhole): WholeOrder => found;
