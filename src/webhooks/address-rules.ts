// Which webhook addresses are ever contacted (SPEC 6.2, CONTRACT 7). Judged on the raw text first, for parsers disagree; then on what it parses to.
import { parseUrl } from "../domain/parse-url.ts";

export interface AddressOptions {
  /** Exact origins that are allowed whatever they are, e.g. `http://127.0.0.1:4242`; metadata addresses never. */
  readonly allowTargets?: readonly string[];
  /** Take NAT64 (64:ff9b::/96) of public IPv4 addresses, for networks that reach IPv4 by it. */
  readonly allowNat64?: boolean;
}

export interface JudgedUrl {
  readonly ok: true;
  readonly url: URL;
  /** The host without brackets. */
  readonly host: string;
  readonly hostKind: "name" | "ipv4" | "ipv6";
  /** Opened by `allowTargets`: the address need not be public. */
  readonly allowedTarget: boolean;
}
export type AddressVerdict = JudgedUrl | { readonly ok: false; readonly reason: string };

const no = (reason: string): AddressVerdict => ({ ok: false, reason });

/** Judges what can be told without resolving; the addresses a name resolves to are judged by `isPublicAddress`. */
export function judgeWebhookUrl(raw: unknown, options: AddressOptions = {}): AddressVerdict {
  if (typeof raw !== "string" || raw === "" || raw.length > 2_048)
    return no("it must be an address of at most 2048 characters");
  if (/[\s\p{Z}\p{Cc}\p{Cf}\\]/u.test(raw))
    return no("it holds a blank, a control character or a backslash");
  if (raw.includes("@")) return no("it holds an @");
  const [, scheme, authority = ""] = /^(https?):\/\/([^/?#]*)/i.exec(raw) ?? [];
  const url = parseUrl(raw);
  if (!scheme || authority === "" || !url)
    return no("it must be a whole address that begins with https://");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const hostKind = host.includes(":") ? "ipv6" : parseV4(host) !== null ? "ipv4" : "name";
  if (options.allowTargets?.some((target) => originOf(target) === url.origin)) {
    return isMetadataAddress(host)
      ? no("it is a metadata address")
      : { ok: true, url, host, hostKind, allowedTarget: true };
  }
  if (url.protocol !== "https:") return no("it must begin with https://");
  if (url.port !== "") return no("the port must be 443");
  if (hostKind === "name") {
    const fault = nameFault(host);
    return fault ? no(fault) : { ok: true, url, host, hostKind, allowedTarget: false };
  }
  // Other spellings of an address are how one is hidden from those who read it.
  if (authority.replace(/:[0-9]*$/, "") !== url.hostname)
    return no("an IP address must be written in its canonical form");
  return isPublicAddress(host, options)
    ? { ok: true, url, host, hostKind, allowedTarget: false }
    : no("it is not a public address");
}

/** The origin of an entry of `allowTargets`; null when it is more or less than an http(s) origin. */
export function originOf(target: string): string | null {
  const url = parseUrl(target);
  if (!url || target.includes("@")) return null;
  return /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url.origin : null;
}

const internal = new Set(
  "localhost,local,localdomain,internal,intranet,private,corp,home,lan,arpa,test,invalid,example,onion,alt,svc".split(
    ",",
  ),
);

function nameFault(host: string): string | null {
  if (host.endsWith(".")) return "a trailing dot is not accepted";
  if (host.length > 253) return "the host name is too long";
  const labels = host.split(".");
  if (labels.length < 2) return "the host name must have at least two labels";
  if (!labels.every((label) => /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/.test(label)))
    return "the host name is not valid";
  return internal.has(labels.at(-1) ?? "") ? "it is an internal or special-use name" : null;
}

type Range4 = readonly [base: number, bits: number];
const v4 = (text: string): Range4 => {
  const [address = "", bits = "32"] = text.split("/");
  return [parseV4(address) ?? 0, Number(bits)];
};
const deniedV4: readonly Range4[] = (
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 " +
  "192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"
)
  .split(" ")
  .map(v4);

type Range6 = readonly [groups: readonly number[], bits: number];
const v6 = (text: string): Range6 => {
  const [address = "", bits = "128"] = text.split("/");
  return [parseV6(address) ?? [], Number(bits)];
};
const globalUnicast = v6("2000::/3");
const deniedV6: readonly Range6[] =
  "2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3ffe::/16 3fff::/20".split(" ").map(v6);
const nat64 = v6("64:ff9b::/96");

/** IPv4 by a list of what is not public, IPv6 by what is; anything that does not parse is not public. */
export function isPublicAddress(
  address: string,
  { allowNat64 = false }: AddressOptions = {},
): boolean {
  if (typeof address !== "string") return false; // resolvers are handed in
  if (!address.includes(":")) {
    const value = parseV4(address);
    return value !== null && isPublicV4(value);
  }
  const groups = parseV6(address);
  if (!groups) return false;
  if (allowNat64 && within6(groups, nat64))
    return isPublicV4((groups[6] ?? 0) * 65_536 + (groups[7] ?? 0));
  return within6(groups, globalUnicast) && !deniedV6.some((range) => within6(groups, range));
}

const metadataV4 = ["169.254.0.0/16", "168.63.129.16", "100.100.100.200", "192.0.0.192"].map(v4);
const metadataV6 = ["fd00:ec2::/32", "fd20:ce::/32", "fe80::a9fe:a9fe"].map(v6);

/** Where clouds hand out credentials: never contacted, whatever is allowed, nor wrapped into an IPv6 address. */
export function isMetadataAddress(address: string): boolean {
  const value = parseV4(address);
  if (value !== null) return isMetadataV4(value);
  const groups = address.includes(":") ? parseV6(address) : null;
  if (!groups) return false;
  const pair = (at: number): number => (groups[at] ?? 0) * 65_536 + (groups[at + 1] ?? 0);
  // Mapped, compatible, translated and NAT64 end with the IPv4 address; 6to4 has it behind its prefix.
  return (
    metadataV6.some((range) => within6(groups, range)) ||
    isMetadataV4(pair(6)) ||
    (groups[0] === 0x2002 && isMetadataV4(pair(1)))
  );
}

const isMetadataV4 = (value: number): boolean => metadataV4.some((range) => within4(value, range));
const isPublicV4 = (value: number): boolean => !deniedV4.some((range) => within4(value, range));

const within4 = (value: number, [base, bits]: Range4): boolean =>
  Math.floor(value / 2 ** (32 - bits)) === Math.floor(base / 2 ** (32 - bits));

function within6(groups: readonly number[], [base, bits]: Range6): boolean {
  for (let index = 0, left = bits; left > 0; index += 1, left -= 16) {
    const shift = Math.max(0, 16 - left);
    if ((groups[index] ?? 0) >> shift !== (base[index] ?? 0) >> shift) return false;
  }
  return true;
}

function parseV4(text: string): number | null {
  const parts = text.split(".");
  if (
    parts.length !== 4 ||
    !parts.every((part) => /^(0|[1-9][0-9]{0,2})$/.test(part) && Number(part) <= 255)
  )
    return null;
  return parts.reduce((value, part) => value * 256 + Number(part), 0);
}

/** Eight groups; null for zone ids and anything else that is no address. */
function parseV6(text: string): readonly number[] | null {
  if (!/^[0-9a-fA-F:.]+$/.test(text)) return null;
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const value = dotted ? parseV4(dotted[2] ?? "") : null;
  if (text.includes(".") && value === null) return null;
  const plain =
    dotted && value !== null
      ? `${dotted[1]}${Math.floor(value / 65_536).toString(16)}:${(value % 65_536).toString(16)}`
      : text;
  const halves = plain.split("::");
  if (halves.length > 2) return null;
  const read = (half: string | undefined): number[] =>
    half
      ? half
          .split(":")
          .map((group) =>
            /^[0-9a-fA-F]{1,4}$/.test(group) ? Number.parseInt(group, 16) : Number.NaN,
          )
      : [];
  const head = read(halves[0]);
  const tail = read(halves[1]);
  const gap = 8 - head.length - tail.length;
  if (halves.length === 1 ? gap !== 0 : gap < 1) return null;
  const groups = [...head, ...Array<number>(halves.length === 1 ? 0 : gap).fill(0), ...tail];
  return groups.some(Number.isNaN) ? null : groups;
}
