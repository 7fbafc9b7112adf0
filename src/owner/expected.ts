import { fail } from "../contract/errors.ts";
import { canonicalJson } from "../domain/text/canonical-json.ts";

/** The options of a call that changes a record. */
export interface UpdateOptions<Shown> {
  /**
   * The record as you have read it. When another one is stored by now, nothing is
   * written and the call throws `precondition_failed`. The comparison is part of the write's
   * transaction: of several such calls at once, one writes.
   */
  readonly expected?: Shown | undefined;
}

/** Throws `precondition_failed` when the caller expects another record than is stored. */
export function requireExpected<Shown>(stored: Shown, { expected }: UpdateOptions<Shown>): void {
  if (expected !== undefined && canonicalJson(stored) !== canonicalJson(expected))
    fail("precondition_failed");
}

interface ExpectedWrite<Row, Shown> {
  readonly options: UpdateOptions<Shown>;
  find(): Promise<Row | null>;
  render(row: Row): Shown;
  /** Writes nothing when `before` is given and is no longer what is stored. */
  write(before: Row | undefined): Promise<Row | "stale" | null>;
}

/** Writes over the record that the caller expects, if any. Gives null for an unknown one. */
export async function writeExpected<Row, Shown>({
  options,
  find,
  render,
  write,
}: ExpectedWrite<Row, Shown>): Promise<Row | null> {
  for (;;) {
    const before = options.expected === undefined ? undefined : await find();
    if (before === null) return null;
    if (before !== undefined) requireExpected(render(before), options);

    const written = await write(before);
    if (written !== "stale") return written;
  }
}
