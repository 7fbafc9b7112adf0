import { type FileHandle, open } from "node:fs/promises";
import type { RecordOutcome, RowFault } from "vitrine/owner";
import { csvRow, guardCell } from "#core/domain/text/csv.ts";
import { end } from "../../frame/command.ts";
import type { Source } from "./source.ts";

/** The most refused rows that are shown, and the most notes. */
const shown = 20;

export type Outcome = Pick<RecordOutcome, "line" | "slug" | "outcome" | "column" | "message"> &
  Partial<Pick<RecordOutcome, "notes">>;

/** The rows that were refused, and what was left out of products. */
export interface Refusals {
  /** The first ones. */
  readonly refused: readonly RowFault[];
  readonly notes: readonly RowFault[];
  /** Counts all notes. */
  noted(): number;
  add(outcomes: readonly Outcome[]): Promise<void>;
  close(): Promise<void>;
}

/** Collects the first refusals, and writes all of them into the file that is named. */
export async function collectRefusals(name: string | undefined, source: Source): Promise<Refusals> {
  const file = name === undefined ? null : await openRejects(name, source);
  await file?.appendFile(csvRow(["line", "column", "slug", "what", "reason"]));
  const refused: RowFault[] = [];
  const notes: RowFault[] = [];
  let noted = 0;

  return {
    refused,
    notes,
    noted: () => noted,
    async add(outcomes) {
      const rows: string[] = [];
      const take = (what: string, slug: string | null, fault: RowFault, list: RowFault[]): void => {
        if (list.length < shown) list.push(fault);
        const cells = [String(fault.line), fault.column ?? "", slug ?? "", what, fault.message];
        rows.push(csvRow(cells.map((cell) => guardCell(cell))));
      };
      for (const { line, slug, outcome, column, message, notes: left = [] } of outcomes) {
        if (outcome === "refused")
          take("refused", slug, { line: line ?? 0, column, message: message ?? "" }, refused);
        noted += left.length;
        for (const note of left) take("left out", slug, note, notes);
      }
      if (rows.length > 0) await file?.appendFile(rows.join(""));
    },
    close: async () => file?.close(),
  };
}

async function openRejects(name: string, { stats }: Source): Promise<FileHandle> {
  const file = await open(name, "a").catch((error: NodeJS.ErrnoException) =>
    end("usage", `${name} cannot be written: ${error.code ?? error.message}.`),
  );
  const { dev, ino } = await file.stat();
  if (dev === stats.dev && ino === stats.ino) {
    await file.close();
    end("usage", "--rejects must name another file than the one that is imported.");
  }
  await file.truncate(0).catch(() => {}); // A pipe or /dev/stderr has no length.
  return file;
}
