import type { ImportedRecords } from "vitrine/owner";
import { type Call, type ExitName, end } from "../../frame/command.ts";
import type { Input } from "../../frame/input.ts";
import { rateText } from "../../frame/rate.ts";
import { recordLines } from "../../frame/table-lines.ts";
import { importFormats, isOwn, nameOf } from "./formats.ts";
import { type Counts, runPass, type Work } from "./passes.ts";
import { countsOf, isAsPlanned, isWhole, planLines, rowsOf } from "./plan-lines.ts";
import { collectRefusals, type Refusals } from "./refusals.ts";
import { openSource, type Source } from "./source.ts";

/** Shows what a file would change in a store, asks where it must, and imports it. */
export async function run(call: Call): Promise<ExitName> {
  const { input, screen, signal } = call;
  const source = await openSource(input.argument(0) ?? "-", signal);
  try {
    const work = await workOf(call, source);
    const refusals = await collectRefusals(input.text("rejects"), source);
    try {
      return await importFile(call, work, refusals);
    } finally {
      await refusals.close();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    screen.note("Stopped before anything was stored.");
    return "interrupted";
  } finally {
    await source.close();
  }
}

async function workOf(call: Call, source: Source): Promise<Work> {
  const { input } = call;
  const { storefront } = call.host();
  const { store_id } = call.store();
  const format = await formatOf(input, source);
  const missing = input.text("missing") === "deactivate" ? "deactivate" : "keep";
  if (isOwn(format) && missing === "deactivate")
    end("usage", "--missing deactivate is not for vitrine's own files: set their field `active`.");
  for (const name of ["currency", "decimal"])
    if (isOwn(format) && input.text(name) !== undefined)
      end("usage", `--${name} is not for vitrine's own files: their prices are in minor units.`);

  const currency =
    input.text("currency") ?? (await storefront.owner.stores.retrieve(store_id)).currency;
  const decimal = input.text("decimal") as Work["decimal"];
  return { storefront, store_id, source, format, currency, decimal, missing };
}

async function formatOf(input: Input, source: Source): Promise<Work["format"]> {
  if (source.stats.size === 0) end("usage", "The file is empty: nothing was done.");

  const said = importFormats.find((name) => name === input.text("from"));
  const given = said === "csv" ? "own" : said;
  if (given && given !== "jsonl") return given;

  const { detectFormat } = await import("vitrine/import");
  const found = await detectFormat(source.open);
  const format = found === "own_jsonl" ? found : (given ?? found);
  if (format) return format;

  const choices = importFormats.join(", ");
  return end(
    "usage",
    `The head of the file does not tell its format: say --from ${choices}, or name the columns ` +
      "in English, as `owner.export` does: slug or id, and name, price and currency for new " +
      "products. Save a workbook (.xlsx) as CSV first.",
  );
}

async function importFile(call: Call, work: Work, refusals: Refusals): Promise<ExitName> {
  const { input, screen, signal } = call;
  const { missing } = work;
  const format = nameOf(work.format);
  const report = { dry_run: input.flag("dry-run"), format };
  const showing = progressOf(call, null);
  const plan = await runPass(work, {
    dry_run: true,
    async onChunk(counts, outcomes) {
      signal.throwIfAborted();
      await refusals.add(outcomes);
      showing(counts);
    },
  });
  screen.settle();
  for (const line of planLines(plan, refusals, format)) screen.line(line);

  const told = { ...report, plan, refused: refusals.refused, notes: refusals.notes };
  if (report.dry_run) {
    screen.result({ ...told, imported: null }, () => ["Nothing was stored."]);
    return isWhole(plan) ? "done" : "failed";
  }
  const changes = plan.created + plan.updated + plan.deactivated + plan.categories_created;
  if (changes > 0) await call.confirm(missing === "deactivate" ? riskOf(plan) : undefined);

  const imported = await apply(call, work, plan);
  if (!imported) return "interrupted";
  const isEqual = isAsPlanned(plan, imported);
  screen.result({ ...told, imported, as_planned: isEqual }, () => [
    "",
    "Imported:",
    ...recordLines(countsOf(imported)),
  ]);
  if (!isEqual)
    screen.note(
      screen.paint.bad("These counts are not the plan's: the store or the file changed."),
    );
  return isEqual && isWhole(imported) ? "done" : "failed";
}

const riskOf = ({ deactivated }: ImportedRecords): string =>
  `Products that become drafts, because the file lacks them: ${deactivated}.`;

/** Gives null when Ctrl-C stopped it between two chunks. */
async function apply(
  call: Call,
  work: Work,
  plan: ImportedRecords,
): Promise<ImportedRecords | null> {
  const { screen, signal } = call;
  const showing = progressOf(call, rowsOf(plan));
  let done = 0;
  try {
    return await runPass(work, {
      dry_run: false,
      onChunk(counts) {
        done = Math.max(done, rowsOf(counts));
        showing(counts);
        // All rows are done: what is left is only to say so.
        if (done < rowsOf(plan)) signal.throwIfAborted();
      },
    });
  } catch (error) {
    screen.note(
      `Stopped after ${done} of ${rowsOf(plan)} rows, between two chunks. To go on, run the same ` +
        "command again: what is stored is then unchanged, and the rest follows.",
    );
    if (signal.aborted) return null;
    throw error;
  } finally {
    screen.settle();
  }
}

/** Shows the progress on a terminal alone. `of` is null while nobody knows how many rows follow. */
function progressOf({ screen }: Call, of: number | null): (counts: Partial<Counts>) => void {
  const started = Date.now();
  return (counts) => {
    if (process.stderr.isTTY !== true) return;
    const rows = rowsOf(counts);
    const ms = Math.max(Date.now() - started, 1);
    const planned = `Plan: ${rows} rows · ${Math.round((rows * 1_000) / ms)} a second`;
    screen.progress(of === null ? planned : rateText(rows, { of, ms, what: "rows" }));
  };
}
