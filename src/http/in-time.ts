import { ApiError } from "../contract/errors.ts";
import { timeBox } from "../domain/async/time-box.ts";

/**
 * Gives what `work` gives. When that takes longer than `requestTimeoutMs`, it gives what `onLate`
 * makes of the error `service_unavailable`. The work goes on: its writes are whole or not at all,
 * and an Idempotency-Key stays taken until it ends, so that a repetition gets its answer.
 */
export const inTime = <T, L = never>(
  work: Promise<T>,
  { requestTimeoutMs }: { readonly requestTimeoutMs: number | null },
  onLate: (error: ApiError) => L = refuse,
): Promise<T | L> =>
  requestTimeoutMs === null ? work : timeBox(work, requestTimeoutMs, () => onLate(lateError()));

const lateError = (): ApiError =>
  new ApiError("service_unavailable", {
    retry_after: 1,
    cause: new Error("The request took longer than requestTimeoutMs."),
  });

function refuse(error: ApiError): never {
  throw error;
}
