import type { HttpContext } from "./context.ts";
import type { RequestState } from "./request-state.ts";

interface Difference {
  readonly keyName: string;
  readonly request_id: string | null;
  /** What `RequestLog.hashBody` made of the earlier body; null where there was no log. */
  readonly value_hashes: string | null;
}

/** Notes for the request log in what the request differs from the earlier one. */
export async function noteDifference(
  { requestLog }: HttpContext,
  state: RequestState,
  { keyName, request_id, value_hashes }: Difference,
): Promise<void> {
  if (!requestLog) return;

  const different_paths =
    value_hashes === null ? [] : await requestLog.differentPaths(state, keyName, value_hashes);
  state.earlier = { request_id, different_paths };
}
