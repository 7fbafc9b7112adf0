import { letExit } from "../../domain/async/let-exit.ts";
import { minuteMs } from "../../domain/durations.ts";
import {
  blocksOf,
  entriesOf,
  type LoggedRequest,
  type RequestBlock,
} from "../../rules/request-log/request-log.ts";
import type { RequestLogSettings } from "./request-log-settings.ts";

const batchSize = 200;
const batchMs = 1_000;
/**
 * The number of requests that may wait for a slow storage. They take at most 9 MiB. When more come,
 * the oldest ones are lost.
 */
const mostWaiting = 2_000;
const reportMs = minuteMs;

export interface LogWriter {
  add(request: LoggedRequest): void;
  /** Resolves when everything that was added until now is written or lost. It never rejects. */
  flush(): Promise<void>;
}

/**
 * Writes the log after the answers were sent: when 200 requests wait, or one second
 * after the first of them. A batch that the storage refuses is lost, and the host
 * is told how many requests were lost.
 */
export function createLogWriter(
  settings: Pick<RequestLogSettings, "store" | "keptMs" | "onError">,
): LogWriter {
  const { store, keptMs } = settings;
  const lost = createLossReport(settings);
  let waiting: LoggedRequest[] = [];
  let isTimed = false;
  let writing: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  /** Appends the blocks, one after the other. When one fails, it and all later ones are lost. */
  const append = async (blocks: readonly RequestBlock[]): Promise<void> => {
    let written = 0;
    try {
      for (; written < blocks.length; written += 1) {
        const block = blocks[written];
        if (block) await store.append(block);
      }
    } catch (cause) {
      const rest = blocks.slice(written).flatMap(entriesOf);
      lost.add(rest.length, cause);
    }
  };

  const write = async (least: number): Promise<void> => {
    while (waiting.length >= least) {
      const batch = waiting.slice(0, batchSize);
      waiting = waiting.slice(batchSize);
      await append(blocksOf(batch, keptMs));
    }
  };
  const start = (least: number): Promise<void> => {
    writing = write(least).finally(() => {
      writing = null;
    });
    return writing;
  };

  const flush = (): Promise<void> => {
    if (!writing) return start(1);

    // One more run writes everything that came since this one began.
    next ??= writing.then(() => {
      next = null;
      return flush();
    });
    return next;
  };

  const flushSoon = (): void => {
    if (isTimed) return;
    isTimed = true;
    const timer: unknown = setTimeout(() => {
      isTimed = false;
      void flush();
    }, batchMs);
    letExit(timer);
  };

  return {
    add(request) {
      waiting.push(request);
      if (waiting.length > mostWaiting) lost.add(waiting.splice(0, batchSize).length);

      if (waiting.length >= batchSize && !writing) void start(batchSize);
      else flushSoon();
    },
    flush,
  };
}

/** Tells the host of lost requests, once a minute at most. */
function createLossReport({ onError }: Pick<RequestLogSettings, "onError">) {
  let count = 0;
  let quietUntil = Number.NEGATIVE_INFINITY;

  return {
    /** Adds lost requests to the report. The cause is left out when the storage is only slow. */
    add(requests: number, cause?: unknown): void {
      count += requests;
      if (performance.now() < quietUntil) return;

      quietUntil = performance.now() + reportMs;
      onError(new Error(`The request log has lost ${count} requests.`, { cause }), "request log");
      count = 0;
    },
  };
}
