/**
 * The arguments stand in pino's order, so that `pino()` and `fastify.log` can be
 * passed. No message and no detail holds a key, a token or a tax id.
 */
export interface Logger {
  /** Logs details for a developer. */
  debug(details: object, message: string): void;
  /** Logs something that went as it should. */
  info(details: object, message: string): void;
  /** Logs something that a person may look at. */
  warn(details: object, message: string): void;
  /** Logs something that a person must look at. */
  error(details: object, message: string): void;
}
