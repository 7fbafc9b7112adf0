/**
 * The arguments stand in pino's order, so that `pino()` and `fastify.log` can be
 * passed. No message and no detail holds a key, a token or a tax id.
 */
export interface Logger {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
