/** The part of an address that a limit counts: IPv4 whole, IPv6 by /64, `::ffff:` unmapped; one shared bucket when the host gave none. */
export function rateLimitIp(ip: string | undefined): string {
  const text = ip?.trim().toLowerCase().split("%", 1)[0] ?? "";
  if (text === "") return "unknown";
  const mapped = /^(?:0{0,4}:){0,5}:?ffff:(\d{1,3}(?:\.\d{1,3}){3})$/.exec(text)?.[1];
  if (mapped) return mapped;
  if (!text.includes(":")) return text.slice(0, 45);
  const groups = expand(text);
  if (!groups) return text.slice(0, 45);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high = 0, low = 0] = groups.slice(6);
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

function expand(text: string): number[] | null {
  const [head = "", tail, ...more] = text.split("::");
  if (more.length > 0) return null;
  const read = (part: string): number[] =>
    part === ""
      ? []
      : part
          .split(":")
          .map((group) =>
            /^[0-9a-f]{1,4}$/.test(group) ? Number.parseInt(group, 16) : Number.NaN,
          );
  const first = read(head);
  const last = tail === undefined ? [] : read(tail);
  const gap = 8 - first.length - last.length;
  if (tail === undefined ? gap !== 0 : gap < 1) return null;
  const groups = [...first, ...Array<number>(gap).fill(0), ...last];
  return groups.some(Number.isNaN) ? null : groups;
}
