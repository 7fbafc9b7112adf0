import { resolve } from "node:path";
import { rangeOfMonth } from "#core/rules/archive/month.ts";
import { type Call, type ExitName, end } from "../../frame/command.ts";
import { recordLines } from "../../frame/table-lines.ts";

const showAfterMs = 1_000;

/** Moves the orders of a past month into files of a folder, or reads an order from there. */
export async function run(call: Call): Promise<ExitName> {
  const { host, store, input, screen, signal, folder, confirm } = call;
  const { archiveFolder } = await import("vitrine/archive");
  const { archive } = host().storefront.owner;
  const { store_id, livemode } = store();
  const files = archiveFolder(resolve(folder, input.text("folder") ?? ""));
  const [month, wanted] = [input.text("month"), input.text("find")];
  if ((month === undefined) === (wanted === undefined)) end("usage", "Give --month or --find.");

  if (wanted !== undefined) {
    const named = /^#?\d+$/.test(wanted)
      ? { number: Number(wanted.replace("#", "")) }
      : { order_id: wanted };
    const order = await archive.find({ store_id, livemode, ...named }, files);
    if (!order) return end("failed", `The archive has no order ${wanted}.`);
    screen.result(order, () => [JSON.stringify(order, null, 2)]);
    return "done";
  }

  if (rangeOfMonth(month ?? "") === null) end("usage", "--month must be a month such as 2024-03.");
  await confirm();
  // What is refused is refused at once, and was never on its way.
  const showing = setTimeout(() => screen.progress(`${month} · on its way`), showAfterMs);
  const moved = await archive
    .move({ store_id, livemode, month: month ?? "" }, files, { signal })
    .finally(() => clearTimeout(showing));
  screen.settle();
  screen.result(moved, () =>
    recordLines({
      month: moved.month,
      moved: moved.moved,
      stayed: stayedText(moved.stayed),
      files: moved.written.length,
      bytes: moved.written.reduce((sum, { bytes }) => sum + bytes, 0),
    }),
  );
  return moved.complete ? "done" : "interrupted";
}

const stayedText = (stayed: Readonly<Record<string, number>>): string =>
  Object.entries(stayed)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(", ") || "0";
