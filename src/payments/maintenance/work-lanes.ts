import { sleep } from "../../domain/async/sleep.ts";
import { timeBox } from "../../domain/async/time-box.ts";
import { hourMs } from "../../domain/durations.ts";
import { type Answering, Lane } from "./lane.ts";
import type { Slice } from "./maintenance-slices.ts";

/** Names the gateway and provider account that a question goes to. */
export interface ProviderAccount {
  readonly gateway: string;
  readonly livemode: boolean;
  readonly account: string | null;
}

/** The lane of a row: a provider account, or the name of a job that asks no gateway. */
export type LaneName = ProviderAccount | string;

interface RowHandler<Row> {
  readonly slice: Slice;
  readonly laneOf: (row: Row) => LaneName;
  /** Handles a row. It must not reject. */
  readonly handle: (row: Row) => Promise<void>;
}

/** The part of the run's time after which a row is overdue: three seconds at the most. */
const patience = 0.1;
const longestPatienceMs = 3_000;

/**
 * Keeps apart what waits for different outside parties, so that one that does not answer holds up
 * nobody else. A run stops waiting for a row that is overdue, or at the end of the job's slice; the
 * row itself goes on, keeps its place in the lane, and its result is written when it comes.
 */
export class WorkLanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #answering = new Map<string, Answering>();
  readonly #running = new Set<Promise<void>>();
  readonly #waits: { readonly signal: AbortSignal; readonly patienceMs: number };

  /** Creates the lanes of a run. The signal ends every wait for the next second. */
  constructor(signal: AbortSignal, maxDurationMs: number) {
    this.#waits = { signal, patienceMs: Math.min(longestPatienceMs, maxDurationMs * patience) };
  }

  /** Handles the rows, the first rows first, and gives those that were not begun. */
  async run<Row>(
    rows: readonly Row[],
    { slice, laneOf, handle }: RowHandler<Row>,
  ): Promise<readonly Row[]> {
    const rowsByLane = new Map<Lane, Row[]>();
    for (const row of rows) {
      const lane = this.#laneOf(laneOf(row));
      rowsByLane.set(lane, [...(rowsByLane.get(lane) ?? []), row]);
    }

    let isOver = false;
    const isStopping = (): boolean => isOver || slice.isStopping();
    const workOff = async (lane: Lane, waiting: Row[]): Promise<void> => {
      const begin = (): Promise<void> | undefined => {
        const row = waiting.shift();
        return row === undefined ? undefined : this.#note(handle(row));
      };
      while (waiting.length > 0 && (await lane.handleNext(isStopping, begin)));
    };

    const workers = [...rowsByLane].flatMap(([lane, waiting]) =>
      Array.from({ length: Math.min(lane.workers, waiting.length) }, () => workOff(lane, waiting)),
    );
    await within(slice.leftMs(), Promise.all(workers));
    isOver = true;

    return [...rowsByLane.values()].flat();
  }

  /** Tells whether a row of the lane must wait until one that is overdue ends. */
  isHung(name: LaneName): boolean {
    return this.#laneOf(name).isHung;
  }

  /** Waits for the rows that still run, for `ms` at most. */
  ended(ms: number): Promise<void> {
    return within(ms, Promise.all(this.#running));
  }

  /** Waits until one of the rows that still run ends, or the run stops, for `ms` at most. */
  oneEnded(ms: number): Promise<void> {
    const ended = new AbortController();
    void Promise.race(this.#running).then(() => ended.abort());
    return sleep(wholeMs(ms), this.#waits.signal, ended.signal);
  }

  #note(work: Promise<void>): Promise<void> {
    const ended = work.finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    return ended;
  }

  #laneOf(name: LaneName): Lane {
    const isAccount = typeof name !== "string";
    const gateway = isAccount ? JSON.stringify([name.gateway, name.livemode]) : name;
    const key = isAccount ? JSON.stringify([gateway, name.account]) : name;
    const known = this.#lanes.get(key);
    if (known) return known;

    const answering = this.#answering.get(gateway) ?? { overdue: 0, answered: 0, inTime: true };
    this.#answering.set(gateway, answering);
    const lane = new Lane({ ...this.#waits, answering, isAccount });
    this.#lanes.set(key, lane);
    return lane;
  }
}

/** Waits for the work, for `ms` at most. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  await timeBox(work, wholeMs(ms), () => undefined);
}

/** Rounds up: timers know whole milliseconds, and no endless time. */
const wholeMs = (ms: number): number => Math.min(hourMs, Math.ceil(ms));
