/** A provider's message as it was received. */
export interface GatewayMessage {
  /** The bytes of the body: signatures are made over them. */
  readonly body: Uint8Array;
  /**
   * The address that the provider called, with its query: a secret of yours may be in
   * it. Without the option `publicUrl` it is the path and the query alone.
   */
  readonly url: string;
  /** `POST`, unless the host took the message by another method. */
  readonly method?: string;
  /**
   * The request as the host's framework gave it: Node's `IncomingMessage`, whose
   * socket has the provider's client certificate, or a `Request`.
   */
  readonly native?: unknown;
  /** Gives a header's value by its name, in any case. */
  header(name: string): string | undefined;
}
