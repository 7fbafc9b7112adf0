import { sleep } from "../../domain/async/sleep.ts";

const questionsAtOnce = 8;
const questionsPerSecond = 10;
const secondMs = 1_000;

/** Names the gateway and provider account that a question goes to. */
export interface LaneName {
  readonly gateway: string;
  readonly livemode: boolean;
  readonly account: string | null;
}

/**
 * Limits what a run of maintenance asks of each provider account: eight questions
 * at once, and ten that begin within one second.
 */
export class QuestionLanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #signal: AbortSignal;

  /**
   * Creates the lanes. When the signal aborts, no question waits for its second any
   * more.
   */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Handles every row, the first rows first, and gives those that were not begun.
   * `isStopping` is asked before each row; `handle` must not throw.
   */
  async run<Row>(
    rows: readonly Row[],
    laneOf: (row: Row) => LaneName,
    { isStopping, handle }: RowHandler<Row>,
  ): Promise<readonly Row[]> {
    const rowsByLane = new Map<Lane, Row[]>();
    for (const row of rows) {
      const lane = this.#laneOf(laneOf(row));
      rowsByLane.set(lane, [...(rowsByLane.get(lane) ?? []), row]);
    }

    const askInTurn = async (lane: Lane, waiting: Row[]): Promise<void> => {
      while (waiting.length > 0 && !isStopping()) {
        await lane.waitForSecond(this.#signal);
        // Another worker of the lane may have taken the last row, or the time may be over by now.
        const row = isStopping() ? undefined : waiting.shift();
        if (row === undefined) return;

        await handle(row);
      }
    };

    const workers = [...rowsByLane].flatMap(([lane, waiting]) =>
      Array.from({ length: Math.min(questionsAtOnce, waiting.length) }, () =>
        askInTurn(lane, waiting),
      ),
    );
    await Promise.all(workers);
    return [...rowsByLane.values()].flat();
  }

  #laneOf({ gateway, livemode, account }: LaneName): Lane {
    const name = JSON.stringify([gateway, livemode, account]);
    const known = this.#lanes.get(name);
    if (known) return known;

    const lane = new Lane();
    this.#lanes.set(name, lane);
    return lane;
  }
}

interface RowHandler<Row> {
  readonly isStopping: () => boolean;
  readonly handle: (row: Row) => Promise<void>;
}

/** Counts the questions that one provider account was asked within the last second. */
class Lane {
  readonly #starts: number[] = [];

  async waitForSecond(signal: AbortSignal): Promise<void> {
    const tenthLast = this.#starts.at(-questionsPerSecond);
    const begins = Math.max(performance.now(), (tenthLast ?? -secondMs) + secondMs);
    // The place is taken before the wait, so that workers which wait together get one each.
    this.#starts.push(begins);
    if (this.#starts.length > questionsPerSecond) this.#starts.shift();

    const waitMs = begins - performance.now();
    if (waitMs > 0) await sleep(waitMs, signal);
  }
}
