import { parseUrl } from "../../domain/parse-url.ts";
import { isInV4, isInV6, parseV4, parseV6, rangesV4, rangesV6, v4In } from "./ip-address.ts";

/** Says to which addresses webhooks may be sent. */
export interface AddressOptions {
  /**
   * The exact origins that are allowed although they are not public, e.g. `http://127.0.0.1:4242`.
   * A metadata address is never allowed.
   */
  readonly allowTargets?: readonly string[] | undefined;
  /**
   * True allows NAT64 (64:ff9b::/96) of public IPv4 addresses, for networks that
   * reach IPv4 by it.
   */
  readonly allowNat64?: boolean | undefined;
}

export interface JudgedUrl {
  readonly ok: true;
  readonly url: URL;
  /** The host without brackets. */
  readonly host: string;
  readonly hostKind: "name" | "ipv4" | "ipv6";
  /**
   * True when `allowTargets` names the origin: its address need not be
   * public.
   */
  readonly allowedTarget: boolean;
}

export type AddressVerdict = JudgedUrl | { readonly ok: false; readonly reason: string };

const maxUrlLength = 2_048;

const refuse = (reason: string): AddressVerdict => ({ ok: false, reason });

/**
 * Judges whether a webhook may go to an address, as far as can be told without
 * resolving its name. `isPublicAddress` judges the addresses to which the name
 * resolves. The raw text is judged first and then what it parses to, because URL
 * parsers disagree.
 */
export function judgeWebhookUrl(raw: unknown, options: AddressOptions = {}): AddressVerdict {
  if (typeof raw !== "string" || raw === "" || raw.length > maxUrlLength)
    return refuse("it must be an address of at most 2048 characters");
  if (/[\s\p{Z}\p{Cc}\p{Cf}\\]/u.test(raw))
    return refuse("it holds a blank, a control character or a backslash");
  if (raw.includes("@")) return refuse("it holds an @");

  const [, scheme, authority = ""] = /^(https?):\/\/([^/?#]*)/i.exec(raw) ?? [];
  const url = parseUrl(raw);
  if (!scheme || authority === "" || !url)
    return refuse("it must be a whole address that begins with https://");

  const host = url.hostname.replace(/^\[|\]$/g, "");
  const judged = { ok: true, url, host, hostKind: hostKindOf(host) } as const;
  if (options.allowTargets?.some((target) => originOf(target) === url.origin)) {
    if (isMetadataAddress(host)) return refuse("it is a metadata address");
    return { ...judged, allowedTarget: true };
  }

  const fault = publicUrlFault(judged, authority, options);
  return fault ? refuse(fault) : { ...judged, allowedTarget: false };
}

function hostKindOf(host: string): JudgedUrl["hostKind"] {
  if (host.includes(":")) return "ipv6";
  return parseV4(host) === null ? "name" : "ipv4";
}

/**
 * Says why an address that no `allowTargets` opens is refused. Gives null when it
 * is allowed.
 */
function publicUrlFault(
  { url, host, hostKind }: Pick<JudgedUrl, "url" | "host" | "hostKind">,
  authority: string,
  options: AddressOptions,
): string | null {
  if (url.protocol !== "https:")
    return "it must begin with https://, or its origin must stand in the transport's allowTargets";
  if (url.port !== "") return "the port must be 443";
  if (hostKind === "name") return nameFault(host);

  // Another spelling of an IP address may hide it from those who read it.
  if (authority.replace(/:[0-9]*$/, "") !== url.hostname)
    return "an IP address must be written in its canonical form";

  return isPublicAddress(host, options) ? null : "it is not a public address";
}

/**
 * Gives the origin of an entry of `allowTargets`. Gives null when the entry is not
 * just an http(s) origin.
 */
export function originOf(target: string): string | null {
  const url = parseUrl(target);
  if (!url || target.includes("@")) return null;

  const isOrigin = /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  return isOrigin ? url.origin : null;
}

/** The top-level names that are internal or reserved for special use. */
const internalNames: ReadonlySet<string> = new Set([
  ...["localhost", "local", "localdomain", "internal", "intranet", "private", "corp", "home"],
  ...["lan", "arpa", "test", "invalid", "example", "onion", "alt", "svc"],
]);

function nameFault(host: string): string | null {
  if (host.endsWith(".")) return "a trailing dot is not accepted";
  if (host.length > 253) return "the host name is too long";

  const labels = host.split(".");
  if (labels.length < 2) return "the host name must have at least two labels";
  if (!labels.every((label) => /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/.test(label)))
    return "the host name is not valid";

  return internalNames.has(labels.at(-1) ?? "") ? "it is an internal or special-use name" : null;
}

const deniedV4 = rangesV4(
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 " +
    "172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 " +
    "192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 " +
    "224.0.0.0/4 240.0.0.0/4",
);
const globalUnicastV6 = rangesV6("2000::/3");
const deniedV6 = rangesV6(
  "2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3ffe::/16 3fff::/20",
);
const nat64 = rangesV6("64:ff9b::/96");

/**
 * Says whether an address is public. An IPv4 address is public unless a list denies
 * it, an IPv6 address only where a list allows it. A text that does not parse is
 * not public.
 */
export function isPublicAddress(
  address: string,
  { allowNat64 = false }: AddressOptions = {},
): boolean {
  if (typeof address !== "string") return false; // a host's resolver may give anything
  if (!address.includes(":")) {
    const value = parseV4(address);
    return value !== null && !isInV4(deniedV4, value);
  }

  const groups = parseV6(address);
  if (!groups) return false;
  if (allowNat64 && isInV6(nat64, groups)) return !isInV4(deniedV4, v4In(groups, 6));

  return isInV6(globalUnicastV6, groups) && !isInV6(deniedV6, groups);
}

const metadataV4 = rangesV4("169.254.0.0/16 168.63.129.16 100.100.100.200 192.0.0.192");
const metadataV6 = rangesV6("fd00:ec2::/32 fd20:ce::/32 fe80::a9fe:a9fe");
const sixToFour = rangesV6("2002::/16");

/**
 * Says whether an address is a metadata address. Clouds hand out credentials there.
 * Such an address is never contacted, whatever is allowed, even when it is wrapped
 * into an IPv6 address.
 */
export function isMetadataAddress(address: string): boolean {
  const value = parseV4(address);
  if (value !== null) return isInV4(metadataV4, value);

  const groups = address.includes(":") ? parseV6(address) : null;
  if (!groups) return false;

  // Mapped, compatible, translated and NAT64 addresses end with the IPv4 address; 6to4 has it
  // after its prefix.
  return (
    isInV6(metadataV6, groups) ||
    isInV4(metadataV4, v4In(groups, 6)) ||
    (isInV6(sixToFour, groups) && isInV4(metadataV4, v4In(groups, 1)))
  );
}
