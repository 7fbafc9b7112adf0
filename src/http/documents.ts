import { referenceStyleHash, renderErrorReference } from "../contract/reference.ts";
import type { Call } from "./call.ts";
import type { WireReply } from "./wire.ts";

/** Answered before authentication. */
export const errorReferencePath = "/docs/errors";

const page = renderErrorReference();

export const errorReference = (call: Call): WireReply => ({
  status: 200,
  headers: {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src '${referenceStyleHash}'; frame-ancestors 'none'; base-uri 'none'`,
    "x-content-type-options": "nosniff",
    "cache-control": "public, max-age=300",
    "x-request-id": call.request_id,
  },
  body: call.request.method === "HEAD" ? null : page,
});
