import type { WireReply } from "../../http/wire.ts";
import { json } from "../shared/json.ts";
import { type Agreed, type CapabilityName, isActive } from "./profile.ts";
import { newestVersion, supportedVersions, type UcpVersion } from "./versions.ts";

/** How an agent should go on after an error. */
export type Severity = "recoverable" | "requires_buyer_input" | "unrecoverable";

/** A part of `messages[]`: what is wrong, and a JSONPath (RFC 9535) to where. */
export interface Message {
  readonly type: "error" | "warning" | "info";
  readonly code: string;
  readonly content: string;
  readonly severity?: Severity;
  readonly path?: string;
}

/** An error of the protocol, which is told by the HTTP status. */
export class ProtocolFault extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: number | undefined;

  constructor(status: number, code: string, content: string, retryAfter?: number) {
    super(content);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** An outcome of the store's own rules: the request was right, and nothing came of it. */
export class BusinessFault extends Error {
  readonly notice: Message;

  constructor(notice: Message) {
    super(notice.content);
    this.notice = notice;
  }
}

/** The `ucp` member of an answer: the capabilities that both sides have and that it is about. */
export const success = (agreed: Agreed, ...names: readonly CapabilityName[]) => ({
  version: agreed.version,
  status: "success",
  capabilities: Object.fromEntries(
    names
      .filter((name) => isActive(agreed, name))
      .map((name) => [name, [{ version: agreed.version }]]),
  ),
});

/** The version is one that the agent chose, of which only a date is repeated. */
export const versionFault = (asked: string): ProtocolFault =>
  new ProtocolFault(
    422,
    "version_unsupported",
    `Protocol version ${/^\d{4}-\d\d-\d\d$/.test(asked) ? asked : "of this name"} is not ` +
      `supported. This business supports versions ${supportedVersions.join(" and ")}.`,
  );

/** The protocol's failures to agree. An agent that meets one can still hand its buyer over. */
const negotiation = [
  "capabilities_incompatible",
  "invalid_profile_url",
  "profile_malformed",
  "profile_unreachable",
  "version_unsupported",
];

export const notFound = (path?: string): BusinessFault =>
  new BusinessFault({
    type: "error",
    code: "not_found",
    content: "There is nothing of this id here.",
    severity: "unrecoverable",
    ...(path !== undefined && { path }),
  });

/**
 * Answers with the error by the protocol's rules: what the store decided has the status 200. Where
 * the two sides cannot agree, `home` is the page at which the buyer goes on without an agent.
 */
export function faultReply(
  fault: ProtocolFault | BusinessFault,
  home?: string,
  version: UcpVersion = newestVersion,
): WireReply {
  const code = fault instanceof BusinessFault ? fault.notice.code : fault.code;
  const fallback = home !== undefined && negotiation.includes(code) && { continue_url: home };
  if (fault instanceof BusinessFault)
    return json(200, {
      ucp: { version, status: "error" },
      messages: [fault.notice],
      ...fallback,
    });

  const { status, message: content, retryAfter } = fault;
  const wait: Record<string, string> =
    retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return json(status, { code, content, ...fallback }, wait);
}
