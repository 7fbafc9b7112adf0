import { ApiError } from "../contract/errors.ts";
import { timeBox } from "../domain/async/time-box.ts";

/**
 * Gives what `work` gives, or rejects with `service_unavailable` when that takes longer than
 * `requestTimeoutMs`. The work goes on: its writes are whole or not at all, and an Idempotency-Key
 * stays taken until it ends, so that a repetition gets its answer.
 */
export const inTime = <T>(
  work: Promise<T>,
  { requestTimeoutMs }: { readonly requestTimeoutMs: number | null },
): Promise<T> =>
  requestTimeoutMs === null ? work : timeBox(work, requestTimeoutMs, () => refuseLate());

function refuseLate(): never {
  throw new ApiError("service_unavailable", {
    retry_after: 1,
    cause: new Error("The request took longer than requestTimeoutMs."),
  });
}
