/** A provider's message, as it was received. */
export interface GatewayMessage {
  /** The bytes of the body, over which the provider signs. */
  readonly body: Uint8Array;
  /**
   * The provider called this address. Its query may hold a secret of yours. Without
   * the option `publicUrl` it is the path and the query alone.
   */
  readonly url: string;
  /** The method is `POST`, unless the host took the message by another method. */
  readonly method?: string;
  /**
   * The request object of the host's framework: a `Request`, or an
   * `IncomingMessage` of Node. The socket of the latter knows the provider's client
   * certificate.
   */
  readonly native?: unknown;
  /** Gives a header's value by its name. The case of the name does not matter. */
  header(name: string): string | undefined;
}
