/** Describes a kind of work that maintenance does, in chunks. */
export interface MaintenanceJob<Name extends string = string> {
  readonly name: Name;
  /** The job's part of the time budget; the parts of all jobs add up to 1. */
  readonly share: number;
  /**
   * Does one chunk of the work, and ends with the slice at the latest: the rows that are left
   * are due again later.
   */
  runChunk(slice: Slice): Promise<ChunkResult>;
}

/** The time of a job in one round. */
export interface Slice {
  /** Says that the time is over, or the run stops. */
  readonly isStopping: () => boolean;
  readonly leftMs: () => number;
}

export interface ChunkResult {
  /** The number of rows that the job has worked on. */
  readonly done: number;
  /** True when more rows may be due. */
  readonly more: boolean;
  /** True when all rows that are left wait for someone who does not answer. */
  readonly isHeldUp?: boolean;
}

/** What a job did in this run. */
export interface JobReport {
  /** The number of rows that the job has worked on. */
  readonly done: number;
  /** True when the run ended before the job had done all its work. */
  readonly left: boolean;
}

export interface MaintenanceBudget {
  readonly durationMs: number;
  readonly now: () => number;
  /** Says why the whole run must stop. Gives null while it may go on. */
  readonly stopReason: () => "aborted" | "budget" | null;
  /** Waits for `ms` at most until a row that is overdue ends, when each job is held up. */
  readonly waitForRow: (ms: number) => Promise<void>;
}

export interface SliceReports<Name extends string> {
  readonly stopped_by: "idle" | "budget" | "aborted";
  readonly jobs: Readonly<Record<Name, JobReport>>;
}

/**
 * Runs the jobs in turn, each for its share of the time, until all are done or the
 * time is over. Time that one job does not need, or cannot use, is left for the others in the
 * next round.
 */
export async function runInSlices<Name extends string>(
  jobs: readonly MaintenanceJob<Name>[],
  budget: MaintenanceBudget,
): Promise<SliceReports<Name>> {
  const done = new Map<Name, number>();
  const ends = budget.now() + budget.durationMs;
  let waiting = jobs;

  while (waiting.length > 0 && budget.stopReason() === null) {
    const unfinished: MaintenanceJob<Name>[] = [];
    let heldUp = 0;
    for (const job of waiting) {
      const slice = await runSlice(job, budget);
      done.set(job.name, (done.get(job.name) ?? 0) + slice.done);
      if (slice.more) unfinished.push(job);
      if (slice.isHeldUp) heldUp += 1;
    }
    waiting = unfinished;
    if (heldUp > 0 && heldUp === waiting.length)
      await budget.waitForRow(Math.max(0, ends - budget.now()));
  }

  const left = new Set(waiting.map(({ name }) => name));
  const reports = jobs.map(({ name }) => {
    const report: JobReport = { done: done.get(name) ?? 0, left: left.has(name) };
    return [name, report] as const;
  });
  const stopped_by = waiting.length === 0 ? "idle" : (budget.stopReason() ?? "budget");
  return { stopped_by, jobs: Object.fromEntries(reports) as Record<Name, JobReport> };
}

/** Runs chunks of one job until it has no work, is held up, or its share of the time is over. */
async function runSlice(
  job: MaintenanceJob,
  { durationMs, now, stopReason }: MaintenanceBudget,
): Promise<ChunkResult> {
  const ends = now() + job.share * durationMs;
  const isStopping = (): boolean => now() >= ends || stopReason() !== null;
  const slice = { isStopping, leftMs: () => Math.max(0, ends - now()) };

  let done = 0;
  let more = true;
  let isHeldUp = false;
  while (more && !isHeldUp && !isStopping()) {
    const chunk = await job.runChunk(slice);
    done += chunk.done;
    more = chunk.more;
    isHeldUp = chunk.isHeldUp ?? false;
  }
  return { done, more, isHeldUp };
}
