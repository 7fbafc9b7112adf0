import { timeBox, untilAborted } from "../../domain/async/time-box.ts";

/** The caller of a gateway waits this long. Afterwards the result counts as unknown. */
export const callerWaitsMs = 30_000;

/** A call is aborted after this time. An answer that comes before it is still applied. */
export const callLastsMs = 120_000;

/**
 * Knows the calls of gateways that this process has begun. `close()` waits for the
 * last one.
 */
export interface RunningCalls {
  add(call: Promise<unknown>): void;
  /** Resolves when no call runs any more. */
  ended(): Promise<void>;
}

export function createRunningCalls(): RunningCalls {
  const running = new Set<Promise<unknown>>();

  return {
    add(call) {
      running.add(call);
      const forget = (): boolean => running.delete(call);
      call.then(forget, forget);
    },
    async ended() {
      // A call whose answer is applied may begin another one.
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

interface GatewayCall<T> {
  /** Names the gateway in the error of a call that takes too long. */
  readonly gateway_id: string;
  readonly ask: (signal: AbortSignal) => Promise<T>;
  /**
   * Takes an answer that comes after the caller has stopped waiting. It is null for
   * a failure.
   */
  readonly takeLate: (answer: { readonly value: T } | null, error?: unknown) => Promise<void>;
}

/**
 * Calls a gateway. The promise rejects after 30 s, while the call itself goes on:
 * its signal aborts after 120 s, and `takeLate` takes an answer that comes in
 * between.
 */
export function callGateway<T>(
  calls: RunningCalls,
  { gateway_id, ask, takeLate }: GatewayCall<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const tooLate = new Error(`Gateway ${gateway_id} took longer than 120 s.`);
  const abortTimer = setTimeout(() => controller.abort(tooLate), callLastsMs);

  let isLate = false;
  const asked = Promise.resolve().then(() => ask(signal));
  const answer = untilAborted(asked, signal).finally(() => clearTimeout(abortTimer));

  const applied = answer.then(
    (value) => (isLate ? takeLate({ value }) : undefined),
    (error: unknown) => (isLate ? takeLate(null, error) : undefined),
  );
  calls.add(applied);

  return timeBox(answer, callerWaitsMs, () => {
    isLate = true;
    throw new Error(`Gateway ${gateway_id} took longer than 30 s.`);
  });
}
