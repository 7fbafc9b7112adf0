/** pino's argument order, so that `pino()` and `fastify.log` fit. Nothing that is logged holds a key, a token or a tax id. */
export interface Logger {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
