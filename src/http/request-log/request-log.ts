import { keepRunning } from "../health/keep-running.ts";
import type { RequestState } from "../request-state.ts";
import type { WireReply } from "../wire.ts";
import type { EndedRequest, Recorder } from "./request-log-recorder.ts";
import type { RequestLogSettings } from "./request-log-settings.ts";

/**
 * Keeps the log of requests for the owner (docs/contract/operation.md#request-log). It never
 * makes an answer fail or come later.
 */
export interface RequestLog {
  /**
   * Call this when a request comes in. Call the function that it returns when the
   * answer is ready.
   */
  startRequest(state: RequestState): (reply: WireReply) => void;
  /** Resolves when everything that was logged until now is written or lost. It never rejects. */
  flush(): Promise<void>;
}

/** Creates the log. Its code is loaded at the first request, because most hosts keep no log. */
export function createRequestLog(settings: RequestLogSettings): RequestLog {
  let recorder: Recorder | undefined;
  let loading: Promise<Recorder> | undefined;

  const load = async (): Promise<Recorder> => {
    const { createRecorder } = await import("./request-log-recorder.ts");
    return createRecorder(settings);
  };
  const add = async (ended: EndedRequest): Promise<void> => {
    try {
      loading ??= load();
      const loaded = await loading;
      loaded.add(ended);
      // Later requests are added at once, and never before those that wait here.
      recorder = loaded;
    } catch (error) {
      settings.onError(error, "request log");
    }
  };
  const flush = async (): Promise<void> => {
    // Nothing was logged unless the code was loaded. When loading failed, the request that began it
    // has reported the error.
    const loaded = await loading?.catch(() => undefined);
    await loaded?.flush();
  };

  return {
    startRequest(state) {
      const created_at = settings.now();
      const started = performance.now();

      return (reply) => {
        if (!state.access) return;

        const ended = { state, reply, created_at, duration_ms: performance.now() - started };
        if (recorder) recorder.add(ended);
        else void add(ended);
        keepRunning(state.request, flush, settings.onError);
      };
    },
    flush,
  };
}
