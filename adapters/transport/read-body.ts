import type { IncomingMessage } from "node:http";

const snippetBytes = 1_024;
const maxBodyBytes = 65_536;
const bodyMs = 1_000;

/**
 * Reads at most 64 KiB or 1 s of the body and gives its first 1 KiB. A body that
 * ends in time leaves its connection to the next send; any other is cut off.
 */
export function readBody(
  response: IncomingMessage,
  done: (snippet: string | null) => void,
): { end(): void } {
  let kept: Buffer | undefined;
  let length = 0;
  const timer = setTimeout(end, bodyMs);

  function end(): void {
    clearTimeout(timer);
    if (!response.complete) response.destroy();
    done(kept ? textOf(kept) : null);
  }

  response.on("data", (chunk: Buffer) => {
    if (length < snippetBytes) {
      const part = chunk.subarray(0, snippetBytes - length);
      kept = kept ? Buffer.concat([kept, part]) : part;
    }
    length += chunk.length;
    if (length > maxBodyBytes) end();
  });
  response.once("end", end);
  response.on("error", end);
  response.once("close", end);
  return { end };
}

/** Drops a character that is cut in two, and replaces NUL, which PostgreSQL does not store. */
const textOf = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes, { stream: true }).replaceAll("\u0000", "\ufffd");
