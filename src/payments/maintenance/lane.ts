import { sleep } from "../../domain/async/sleep.ts";
import { timeBox } from "../../domain/async/time-box.ts";

/** The most rows of a lane that are under way, and the most unanswered ones of a silent gateway. */
const places = 8;
const questionsPerSecond = 10;
const secondMs = 1_000;

/** How a gateway has answered in this run, whatever account it was asked about. */
export interface Answering {
  /** The number of questions that have had no answer in time, and still run. */
  overdue: number;
  /** The number of questions that have had their answer in time. */
  answered: number;
  /** False when a question became overdue, and no other was answered in time while it ran. */
  inTime: boolean;
}

export interface LaneOptions {
  readonly answering: Answering;
  /** Milliseconds that a worker waits for a row before it goes on without it. */
  readonly patienceMs: number;
  /** True for a provider account: eight rows at once, ten that begin within a second. */
  readonly isAccount: boolean;
  /** Ends every wait for the next second when it aborts. */
  readonly signal: AbortSignal;
}

/** Rows that wait for the same outside party. A row keeps its place until it ends. */
export class Lane {
  readonly #rows = new Set<{ isOverdue: boolean; waited: Promise<void> }>();
  readonly #starts: number[] = [];
  #turn = Promise.resolve();
  readonly #options: LaneOptions;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** The number of rows that a chunk handles at once. */
  get workers(): number {
    return this.#options.isAccount ? places : 1;
  }

  /** Tells whether a row must wait until one that is overdue ends. */
  get isHung(): boolean {
    const { overdue, inTime } = this.#options.answering;
    return (overdue >= places && !inTime) || (this.#isFull && this.#inTime().length === 0);
  }

  /**
   * Begins the next row as soon as the lane has a place, and waits until it ends or is overdue.
   * Gives false when no row may begin, because the lane hangs or the caller stops. `begin` must
   * return a promise that never rejects.
   */
  async handleNext(
    isStopping: () => boolean,
    begin: () => Promise<void> | undefined,
  ): Promise<boolean> {
    while (!isStopping() && !this.isHung) {
      if (this.#isFull) await Promise.race(this.#inTime().map(({ waited }) => waited));
      else await this.#waitForSecond(isStopping);
      // Another worker may have taken the place meanwhile, or the time may be over.
      if (this.#isFull || isStopping() || this.isHung) continue;

      const work = begin();
      if (work) await this.#wait(work);
      return true;
    }
    return false;
  }

  async #wait(work: Promise<void>): Promise<void> {
    const { answering, patienceMs } = this.#options;
    const row = { isOverdue: false, waited: Promise.resolve() };
    const { answered } = answering;

    const ended = work.then(() => {
      this.#rows.delete(row);
      if (row.isOverdue) {
        answering.overdue -= 1;
        return;
      }
      answering.answered += 1;
      answering.inTime = true;
    });
    row.waited = timeBox(ended, patienceMs, () => {
      row.isOverdue = true;
      answering.overdue += 1;
      // Others of the gateway may have been answered meanwhile: one account alone is silent then.
      if (answering.answered === answered) answering.inTime = false;
    });
    this.#rows.add(row);
    await row.waited;
  }

  get #isFull(): boolean {
    return this.#rows.size >= places;
  }

  #inTime() {
    return [...this.#rows].filter(({ isOverdue }) => !isOverdue);
  }

  /** Waits until another row may begin. The callers wait in turn, and each takes one start. */
  #waitForSecond(isStopping: () => boolean): Promise<void> {
    const { isAccount, signal } = this.#options;
    if (!isAccount) return Promise.resolve();

    this.#turn = this.#turn.then(async () => {
      const begins = (this.#starts.at(-questionsPerSecond) ?? -secondMs) + secondMs;
      const waitMs = begins - performance.now();
      if (waitMs > 0 && !isStopping()) await sleep(waitMs, signal);
      if (isStopping()) return;

      this.#starts.push(Math.max(begins, performance.now()));
      if (this.#starts.length > questionsPerSecond) this.#starts.shift();
    });
    return this.#turn;
  }
}
