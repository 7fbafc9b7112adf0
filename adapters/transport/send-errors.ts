import { isLocalShortage } from "#core/webhooks/drain/local-shortage.ts";
import type { SendErrorClass } from "#core/webhooks/send/transport.ts";
import { SendFailure } from "./resolve.ts";

export function classOfStatus(status: number): SendErrorClass | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "http_status";
}

const unreachable =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM|EHOSTDOWN|ENETDOWN)$/;

export function classOfError(error: unknown): SendErrorClass {
  if (error instanceof SendFailure) return error.kind;
  if (isLocalShortage(error)) return "local_shortage";

  const code = codeOf(error);
  if (unreachable.test(code)) return "connect_refused";
  if (code === "ETIMEDOUT") return "timeout";
  return /TLS|SSL|CERT|EPROTO/.test(code) ? "tls_error" : "connection_reset";
}

/** Tells whether the other side had closed the connection. */
export const isBroken = (error: unknown): boolean =>
  codeOf(error) === "ECONNRESET" || codeOf(error) === "EPIPE";

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
