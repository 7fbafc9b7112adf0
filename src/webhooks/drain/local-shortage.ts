const codes = /^(EMFILE|ENFILE|ENOBUFS|ENOMEM|ERR_OUT_OF_MEMORY|ERR_MEMORY_ALLOCATION_FAILED)$/;

/**
 * Says whether an error means that this process or machine has run out of file
 * descriptors or memory. Such an error tells nothing about the receiver.
 */
export function isLocalShortage(error: unknown): boolean {
  for (let at = error, depth = 0; isObject(at) && depth < 5; at = at.cause, depth += 1) {
    const { code, errors } = at;
    if (typeof code === "string" && codes.test(code)) return true;
    // A name with several addresses fails with one error for each of them.
    if (Array.isArray(errors) && errors.some(isLocalShortage)) return true;
  }
  return false;
}

interface ErrorParts {
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

const isObject = (value: unknown): value is ErrorParts =>
  typeof value === "object" && value !== null;
