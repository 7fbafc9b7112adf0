import { readBytes } from "../../src/http/wire.ts";

/** Not by `for await`: leaving it destroys the stream. */
export function readStream(stream: AsyncIterable<unknown>, limit: number): Promise<Uint8Array | null> {
  const parts = stream[Symbol.asyncIterator]();
  return readBytes(() => parts.next(), limit);
}
