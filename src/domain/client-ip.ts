/**
 * Gives the text that a rate limit counts a client by: a whole IPv4 address, or the
 * /64 network of an IPv6 address. An IPv4 address written as IPv6
 * (`::ffff:1.2.3.4`) counts as IPv4. Clients without an address share the text
 * `unknown`.
 */
export function rateLimitIp(ip: string | undefined): string {
  const text = ip?.trim().toLowerCase().split("%", 1)[0] ?? "";
  if (text === "") return "unknown";

  const mapped = /^(?:0{0,4}:){0,5}:?ffff:(\d{1,3}(?:\.\d{1,3}){3})$/.exec(text)?.[1];
  if (mapped) return mapped;
  if (!text.includes(":")) return text.slice(0, 45);

  const groups = readIpv6(text);
  if (!groups) return text.slice(0, 45);

  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) {
    const [high = 0, low = 0] = groups.slice(6);
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  }

  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}

/**
 * Gives the network of a client: the /24 of an IPv4 address, or the /48 of an IPv6
 * address. It is null for a text that is no address.
 */
export function networkOf(ip: string | undefined): string | null {
  // Most addresses are plain IPv4.
  const ipv4 = ipv4Network(ip ?? "");
  if (ipv4 !== null) return ipv4;

  const counted = rateLimitIp(ip);
  const mapped = ipv4Network(counted);
  if (mapped !== null) return mapped;

  const ipv6 = /^((?:[0-9a-f]{1,4}:){3})[0-9a-f]{1,4}::\/64$/.exec(counted)?.[1];
  return ipv6 === undefined ? null : `${ipv6}:/48`;
}

function ipv4Network(text: string): string | null {
  const first = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(text)?.[1];
  return first === undefined ? null : `${first}.0/24`;
}

/** Reads the eight groups of an IPv6 address. Gives null when the text is none. */
function readIpv6(text: string): number[] | null {
  const [head = "", tail, ...more] = text.split("::");
  if (more.length > 0) return null;

  const first = readGroups(head);
  const last = tail === undefined ? [] : readGroups(tail);
  const missing = 8 - first.length - last.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return null;

  const groups = [...first, ...Array<number>(missing).fill(0), ...last];
  return groups.some(Number.isNaN) ? null : groups;
}

function readGroups(part: string): number[] {
  if (part === "") return [];
  return part
    .split(":")
    .map((group) => (/^[0-9a-f]{1,4}$/.test(group) ? Number.parseInt(group, 16) : Number.NaN));
}
