import type { WireReply } from "../../http/wire.ts";
import { json } from "../shared/json.ts";
import { supportedVersions } from "./discovery.ts";

type FaultType = "invalid_request" | "processing_error" | "service_unavailable";

interface FaultDetails {
  /** A JSONPath (RFC 9535) of what is wrong in the request. */
  readonly param?: string | undefined;
  /** The client may ask again after so many seconds. */
  readonly retryAfter?: number | undefined;
}

/** An error of the protocol: it is answered without a session. */
export class AcpFault extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: FaultDetails;

  constructor(status: number, code: string, message: string, details: FaultDetails = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }

  get type(): FaultType {
    return this.status >= 500 ? "service_unavailable" : "invalid_request";
  }
}

export const notFound = (): AcpFault =>
  new AcpFault(404, "not_found", "There is no checkout session of this id here.");

/** A fault that is about the header `API-Version` tells which versions are spoken. */
export const isVersionFault = (code: string): boolean => /^(missing|unsupported)_api_v/.test(code);

/** Answers with the error in the protocol's flat shape. */
export function faultReply({ status, type, code, message, details }: AcpFault): WireReply {
  const { param, retryAfter } = details;
  const more: Record<string, string> = {};
  if (retryAfter !== undefined) more["retry-after"] = String(retryAfter);
  if (status === 401) more["www-authenticate"] = "Bearer";

  const versions = isVersionFault(code)
    ? { supported_versions: supportedVersions.toReversed() }
    : {};
  return json(status, { type, code, message, ...(param && { param }), ...versions }, more);
}
