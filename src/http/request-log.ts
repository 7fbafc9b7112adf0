import type { Recorder } from "./request-log-recorder.ts";
import type { RequestLogSettings } from "./request-log-settings.ts";
import type { RequestState } from "./request-state.ts";
import type { WireReply } from "./wire.ts";

/**
 * The log of requests for the owner (docs/contract.md#request-log). Nothing of it fails
 * or delays an answer.
 */
export interface RequestLog {
  /**
   * Call it when a request comes in, and the function that it returns when the answer is
   * ready.
   */
  startRequest(state: RequestState): (reply: WireReply) => void;
  /**
   * What is kept beside an idempotency key of this name, to name the difference when the
   * key comes with another body. Null when that failed, which is reported.
   */
  hashBody(state: RequestState, keyName: string): Promise<string | null>;
  /** Where the request differs from the one that `hashBody` has hashed. */
  differentPaths(state: RequestState, keyName: string, hashed: string): Promise<readonly string[]>;
  /** Resolves when what was logged until now is written, or lost. Never rejects. */
  flush(): Promise<void>;
}

/** The code behind it is loaded at the first request: most hosts keep no log. */
export function createRequestLog(settings: RequestLogSettings): RequestLog {
  const { now, onError } = settings;
  let recorder: Recorder | undefined;
  let loading: Promise<Recorder> | undefined;

  const load = async (): Promise<Recorder> => {
    const { createRecorder } = await import("./request-log-recorder.ts");
    recorder = createRecorder(settings);
    return recorder;
  };
  const loaded = (): Recorder | Promise<Recorder> => {
    if (recorder) return recorder;
    loading ??= load();
    return loading;
  };
  const orElse = async <T, E>(fallback: E, work: (own: Recorder) => Promise<T>): Promise<T | E> => {
    try {
      return await work(await loaded());
    } catch (error) {
      onError(error, "request log");
      return fallback;
    }
  };
  const flush = (): Promise<void> => orElse(undefined, (own) => own.flush());

  return {
    startRequest(state) {
      const created_at = now();
      const started = performance.now();

      return (reply) => {
        if (!state.access) return;

        const ended = { state, reply, created_at, duration_ms: performance.now() - started };
        if (recorder) recorder.add(ended);
        else void orElse(undefined, async (own) => own.add(ended));
        state.request.waitUntil?.(flush());
      };
    },

    hashBody: (state, keyName) => orElse(null, (own) => own.hashBody(state, keyName)),

    differentPaths: (state, keyName, hashed) =>
      orElse([], (own) => own.differentPaths(state, keyName, hashed)),

    flush: async () => {
      // Where nothing was loaded nothing was logged.
      if (loading) await flush();
    },
  };
}
