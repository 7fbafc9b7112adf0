import { sleep } from "../../domain/async/sleep.ts";

const questionsAtOnce = 8;
const questionsPerSecond = 10;
const secondMs = 1_000;

/** Names the gateway and provider account that a question goes to. */
export interface ProviderAccount {
  readonly gateway: string;
  readonly livemode: boolean;
  readonly account: string | null;
}

/**
 * Limits what a run of maintenance asks of each provider account: eight questions
 * at once, and ten that begin within one second.
 */
export class AccountThrottles {
  readonly #throttles = new Map<string, Throttle>();
  readonly #signal: AbortSignal;

  /**
   * Creates the throttles. When the signal aborts, no question waits for its second any
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
    accountOf: (row: Row) => ProviderAccount,
    { isStopping, handle }: RowHandler<Row>,
  ): Promise<readonly Row[]> {
    const rowsByThrottle = new Map<Throttle, Row[]>();
    for (const row of rows) {
      const throttle = this.#accountOf(accountOf(row));
      rowsByThrottle.set(throttle, [...(rowsByThrottle.get(throttle) ?? []), row]);
    }

    const askInTurn = async (throttle: Throttle, waiting: Row[]): Promise<void> => {
      while (waiting.length > 0 && !isStopping()) {
        await throttle.waitForSecond(this.#signal);
        // Another worker of the throttle may have taken the last row, or the time may be over.
        const row = isStopping() ? undefined : waiting.shift();
        if (row === undefined) return;

        await handle(row);
      }
    };

    const workers = [...rowsByThrottle].flatMap(([throttle, waiting]) =>
      Array.from({ length: Math.min(questionsAtOnce, waiting.length) }, () =>
        askInTurn(throttle, waiting),
      ),
    );
    await Promise.all(workers);
    return [...rowsByThrottle.values()].flat();
  }

  #accountOf({ gateway, livemode, account }: ProviderAccount): Throttle {
    const name = JSON.stringify([gateway, livemode, account]);
    const known = this.#throttles.get(name);
    if (known) return known;

    const throttle = new Throttle();
    this.#throttles.set(name, throttle);
    return throttle;
  }
}

interface RowHandler<Row> {
  readonly isStopping: () => boolean;
  readonly handle: (row: Row) => Promise<void>;
}

/** Counts the questions that one provider account was asked within the last second. */
class Throttle {
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
