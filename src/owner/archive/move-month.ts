import { rangeOfMonth } from "../../rules/archive/month.ts";
import { reasonToStay, type StayReason, type WholeOrder } from "../../rules/archive/stay.ts";
import { ordersArchived } from "../../rules/audit/audit-changes.ts";
import { iso } from "../../rules/catalog/render.ts";
import type { OrderRecord, Partition } from "../../rules/records.ts";
import { type FoundWhole, removeArchived } from "../../steps/archive-steps.ts";
import type { OwnerContext } from "../context.ts";
import { lineOf, readLine } from "./archived-order.ts";
import { type ArchiveHold, holdArchive } from "./hold-archive.ts";
import {
  type ArchiveFiles,
  type ArchiveManifest,
  folderOf,
  listManifests,
  newName,
  readLines,
  readManifest,
  writePart,
} from "./parts.ts";

/** Names a month of a store and mode. */
export interface MovedMonth extends Partition {
  readonly month: string;
}

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

/** A file has at most so many orders, some 15 MB: whoever writes or reads one holds all of it. */
const ordersPerFile = 5_000;
const ordersPerPage = 100;
/** So many orders are read side by side, and removed so, each in a transaction of its own. */
const atOnce = 4;

/** What a call does its work with. */
interface Move extends MovedMonth {
  readonly ctx: OwnerContext;
  readonly files: ArchiveFiles;
  readonly hold: ArchiveHold;
  readonly signal: AbortSignal | undefined;
  /** The time by which all orders are judged and shown. */
  readonly now: number;
}

/** Moves the orders of a month that are over: into files first, and then out of the storage. */
export const moveMonth = (
  ctx: OwnerContext,
  month: MovedMonth,
  files: ArchiveFiles,
  signal?: AbortSignal,
): Promise<MoveResult> =>
  holdArchive(ctx, month.store_id, async (hold) => {
    const { now } = await ctx.clock.of(month);
    const move: Move = { ...month, ctx, files, hold, signal, now };
    const stayed = new Map<StayReason, number>();
    const count = (reason: StayReason): void => {
      stayed.set(reason, (stayed.get(reason) ?? 0) + 1);
    };

    let moved = await finishFiles(move);
    const written: ArchiveManifest[] = [];
    for await (const lines of filesOfMonth(move, count)) {
      const manifest = await store(move, lines);
      written.push(manifest);
      moved += await removeLines(move, await readLines(files, manifest), () => count("changed"));
    }

    return {
      month: month.month,
      complete: signal?.aborted !== true,
      moved,
      stayed: Object.fromEntries([...stayed].sort()),
      written,
    };
  });

/** Removes what a killed call, or a restored backup, has left of orders that are in files. */
async function finishFiles(move: Move): Promise<number> {
  const { files, month } = move;
  const names = await listManifests(files, folderOf(move, month));
  if (names.length === 0) return 0;

  const left = new Set<string>();
  for await (const { id } of ordersOf(move)) left.add(id);
  if (left.size === 0) return 0;

  await move.hold.note(move);
  let removed = 0;
  for (const name of names) {
    const lines = await readLines(files, await readManifest(files, name));
    const ofLeft = lines.filter((line) => left.has(readLine(line).id));
    removed += await removeLines(move, ofLeft, () => {});
  }
  return removed;
}

/** Gives the orders of the month, the oldest first, until the signal aborts. */
async function* ordersOf(move: Move): AsyncGenerator<OrderRecord> {
  const { ctx, store_id, livemode, month, signal } = move;
  const { from = 0, to = 0 } = rangeOfMonth(month) ?? {};
  const range = {
    store_id,
    livemode,
    created_to: to,
    oldest_first: true as const,
    limit: ordersPerPage,
  };
  let created_from = from;
  /** The orders of the last millisecond that was read: the next page begins with them. */
  let known = new Set<string>();

  for (let limit = ordersPerPage; ; ) {
    const found = await ctx.storage.backOffice.searchOrders({ ...range, created_from, limit });
    if (found.outcome !== "listed") return;

    const fresh = found.orders.slice(0, limit).filter(({ id }) => !known.has(id));
    for (const order of fresh) {
      if (signal?.aborted) return;
      yield order;
    }
    if (found.orders.length <= limit) return;

    const last = fresh.at(-1)?.created_at ?? created_from;
    const ofLast = fresh.filter(({ created_at }) => created_at === last).map(({ id }) => id);
    known = new Set(last === created_from ? [...known, ...ofLast] : ofLast);
    limit = known.size + ordersPerPage;
    created_from = last;
  }
}

/** Gives the lines of each file to be. An order that stays is counted by its reason. */
async function* filesOfMonth(
  move: Move,
  count: (reason: StayReason) => void,
): AsyncGenerator<readonly string[]> {
  let lines: string[] = [];
  let judged: ReturnType<typeof judge>[] = [];
  const settle = async (): Promise<void> => {
    for (const found of await Promise.all(judged)) {
      if (found && "line" in found) lines.push(found.line);
      if (found && "stays" in found) count(found.stays);
    }
    judged = [];
  };

  for await (const order of ordersOf(move)) {
    await move.hold.keep();
    judged.push(judge(move, order));
    if (judged.length < atOnce) continue;

    await settle();
    if (lines.length < ordersPerFile) continue;
    yield lines;
    lines = [];
  }
  await settle();
  if (lines.length > 0) yield lines;
}

/** Gives the line of an order that is over, or why it stays. Null for one that is gone. */
async function judge(
  move: Move,
  order: OrderRecord,
): Promise<{ readonly line: string } | { readonly stays: StayReason } | null> {
  const whole = await readWhole(move, order);
  if (!whole) return null;
  const stays = reasonToStay(whole, await isRunning(move, whole.order), move.now);
  return stays === null ? { line: lineOf(whole, move.now) } : { stays };
}

async function readWhole({ ctx }: Move, { id, ...partition }: OrderRecord) {
  const { backOffice, checkout } = ctx.storage;
  const history = await backOffice.findHistory(partition, id);
  const session_id = history?.order.session_id ?? null;
  const found = session_id === null ? null : await checkout.findSession(partition, session_id);
  return history && { ...history, session: found?.session ?? null };
}

/** Tells whether the order paid a period of a subscription that has not ended. */
async function isRunning({ ctx }: Move, order: OrderRecord): Promise<boolean> {
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
  const { ctx, store_id, livemode, hold, signal, now } = move;
  let removed = 0;
  let next = 0;
  const remove = async (): Promise<void> => {
    for (let line = lines[next++]; line !== undefined && !signal?.aborted; line = lines[next++]) {
      await hold.keep();
      const written = `${line}\n`;
      const isInFile = (found: FoundWhole): boolean => lineOf(wholeOf(found), now) === written;
      const command = { store_id, livemode, order_id: readLine(line).id };
      const outcome = await removeArchived(ctx.storage.orders, command, isInFile);
      if (outcome === "removed") removed += 1;
      if (outcome === "changed") onChanged();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, remove));
  return removed;
}

const wholeOf = (found: FoundWhole): WholeOrder => found;
