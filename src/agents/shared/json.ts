import type { WireReply } from "../../http/wire.ts";

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const headers = {
  "content-type": "application/json",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/** Makes an answer that no cache keeps, unless `more` says otherwise. */
export const json = (
  status: number,
  body: unknown,
  more: Readonly<Record<string, string>> = {},
): WireReply => ({ status, headers: { ...headers, ...more }, body: JSON.stringify(body) });
