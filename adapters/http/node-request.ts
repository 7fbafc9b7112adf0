import type { IncomingHttpHeaders } from "node:http";

/** The adapters read these parts of a Node request. Express and Fastify add theirs to it. */
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
  /** Express sets it: it is the path before any mounting cut it. */
  readonly originalUrl?: string;
  /** Express sets it: it is the path that a mounting cut. */
  readonly baseUrl?: string;
  /** Express sets it: it is the client's address by its `trust proxy`. */
  readonly ip?: string | undefined;
  /** A body parser sets it: it is what the parser made of the body. */
  readonly body?: unknown;
  /** A body parser that keeps the bytes sets it. */
  readonly rawBody?: unknown;
}
