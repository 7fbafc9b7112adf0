/**
 * Frameworks take `undefined`, `"route"` and the like for no error at all and would
 * go on to the next handler: whatever was thrown becomes an Error.
 */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error
    ? thrown
    : new Error("A value that is no Error was thrown.", { cause: thrown });
