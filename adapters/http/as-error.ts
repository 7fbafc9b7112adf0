/**
 * Turns whatever was thrown into an Error. Frameworks do not treat `undefined`,
 * `"route"` and similar values as errors, and would go on to the next handler.
 */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error
    ? thrown
    : new Error("What was thrown is not an Error.", { cause: thrown });
