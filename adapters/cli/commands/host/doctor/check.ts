import type { Host } from "../../../frame/host.ts";

/** What is wrong, and what to do about it. */
export interface Finding {
  readonly fault: string;
  readonly mend: string;
}

export interface Examined {
  readonly host: Host;
  /** Rejects where the stores cannot be read: then their records cannot be looked at either. */
  storeIds(): Promise<readonly string[]>;
  /** A key of test mode, for the check of the client's address. */
  readonly testKey: string | undefined;
  /** The number of free MiB below which the doctor reports a fault. */
  readonly leastFreeMib: number;
  now(): number;
}

/** The parts of a `pg` pool that the checks use. */
export interface Pool {
  readonly options?: { readonly max?: number };
  query(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

/** Looks at one thing and changes nothing. */
export interface Check {
  readonly name: string;
  /** Gives a text where nothing could be looked at: what the check needs. */
  run(examined: Examined): Promise<readonly Finding[] | string>;
}

/** Gives one finding where there is a fault. */
export const found = (isFault: boolean, fault: string, mend: string): readonly Finding[] =>
  isFault ? [{ fault, mend }] : [];
