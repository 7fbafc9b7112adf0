import type { EndedRequest, Recorder } from "./request-log-recorder.ts";
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
  /** Resolves when what was logged until now is written, or lost. Never rejects. */
  flush(): Promise<void>;
}

/** The code behind it is loaded at the first request: most hosts keep no log. */
export function createRequestLog(settings: RequestLogSettings): RequestLog {
  let recorder: Recorder | undefined;
  let loading: Promise<Recorder> | undefined;

  const load = async (): Promise<Recorder> => {
    const { createRecorder } = await import("./request-log-recorder.ts");
    recorder = createRecorder(settings);
    return recorder;
  };
  const add = async (ended: EndedRequest): Promise<void> => {
    try {
      loading ??= load();
      (await loading).add(ended);
    } catch (error) {
      settings.onError(error, "request log");
    }
  };
  /** The host's own code may throw, and no answer fails because of it. */
  const keepRunning = (state: RequestState): void => {
    try {
      state.request.waitUntil?.(flush());
    } catch (error) {
      settings.onError(error, "waitUntil");
    }
  };
  const flush = async (): Promise<void> => {
    // Where nothing was loaded nothing was logged. The request that failed to load has told it.
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
        keepRunning(state);
      };
    },
    flush,
  };
}
