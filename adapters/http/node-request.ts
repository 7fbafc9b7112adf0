import type { IncomingHttpHeaders } from "node:http";

/** The few parts of a Node request that are read; Express and Fastify add theirs to it. */
export interface NodeRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly readableEnded?: boolean;
  readonly readableDidRead?: boolean;
  readonly readableLength?: number;
  /** True when the whole request has been received. */
  readonly complete?: boolean;
  read?(): Uint8Array | string | null;
  /** Set by Express: the path before any mounting cut it. */
  readonly originalUrl?: string;
  /** Set by Express: the client's address by its `trust proxy`. */
  readonly ip?: string | undefined;
  /** Set by a body parser: what it made of the body. */
  readonly body?: unknown;
  /** Set by a body parser that keeps the bytes. */
  readonly rawBody?: unknown;
}
