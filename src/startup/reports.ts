import { isApiError } from "../contract/errors.ts";
import type { Logger } from "../domain/logger.ts";
import type { Observer } from "../http/observe/observer.ts";
import type { StorefrontOptions } from "../options.ts";
import type { AlertRecord } from "../rules/records.ts";
import { onceASecond } from "./quiet-errors.ts";

/** Tells the host of errors and alerts. */
export interface Reports {
  /**
   * Reports an error that was handled; `where` names the part that handled it.
   * Never throws.
   */
  onError(error: unknown, where: string): void;
  /** Warns of settings by which the host can be hurt later. */
  warn(text: string): void;
  /**
   * Tells of an alert and returns at once: a slow callback of the host's must not
   * hold an answer.
   */
  onAlert(alert: AlertRecord): void;
  /**
   * Tells of an alert and waits for the host's callback, whose failure is the
   * caller's to retry.
   */
  tellAlert(alert: AlertRecord): Promise<void>;
}

interface ReportOptions {
  readonly logger: Logger | null;
  readonly onError: StorefrontOptions["onError"];
  readonly onAlert: ((alert: AlertRecord) => void | Promise<void>) | undefined;
  readonly observer: Observer | undefined;
}

export function createReports({ logger, observer, ...host }: ReportOptions): Reports {
  const onError = onceASecond((error, where, { repeats }) => {
    const details = { where, error: describeError(error), ...(repeats > 0 && { repeats }) };
    logger?.error(details, "vitrine: an error was handled");
    try {
      if (host.onError) host.onError(error, where, { repeats });
      else if (!logger) printError(error, where);
    } catch {
      // An error of the host's callback must not change the answer.
    }
  });

  const logAlert = ({ type, store_id, subject }: AlertRecord): void =>
    logger?.warn({ alert: type, store_id, subject }, "vitrine: an alert was raised");

  const observeAlert = ({ type, store_id, livemode }: AlertRecord): void => {
    try {
      observer?.alert?.({ type, store_id, livemode });
    } catch (error) {
      onError(error, "observer");
    }
  };

  return {
    onError,
    warn(text) {
      if (logger) logger.warn({}, `vitrine: ${text}`);
      else console.warn(`vitrine: ${text}`);
    },
    onAlert(alert) {
      logAlert(alert);
      observeAlert(alert);
      void Promise.resolve(alert)
        .then(host.onAlert)
        .catch((error: unknown) => onError(error, "onAlert"));
    },
    async tellAlert(alert) {
      logAlert(alert);
      await host.onAlert?.(alert);
      // The observer is told after the host's callback, which is called again until it succeeds.
      observeAlert(alert);
    },
  };
}

/**
 * A host that gave neither a logger nor a callback would see a bare 500 and never
 * learn why.
 */
function printError(error: unknown, where: string): void {
  const { stack, cause, ...details } = describeError(error);
  console.error(
    `vitrine: an error was handled (${where}); ` +
      "give `logger` or `onError` to hear of it elsewhere:",
    stack ?? details,
    ...(cause ? ["It was caused by:", cause] : []),
  );
}

/**
 * Gives the parts of an error that may be logged, because none of them holds its
 * input, and those of its causes, three at most.
 */
function describeError(error: unknown, causes = 3): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { type: typeof error };

  const { name, message, stack, cause } = error;
  const isOurs = isApiError(error);
  const parts = isOurs ? { code: error.code, param: error.param } : { name, message, stack };

  // The cause of a refusal, such as JSON that cannot be read, may quote what was sent.
  const isRefusal = isOurs && error.code !== "service_unavailable";
  return cause === undefined || isRefusal || causes === 0
    ? parts
    : { ...parts, cause: describeError(cause, causes - 1) };
}
