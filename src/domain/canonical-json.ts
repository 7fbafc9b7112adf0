/** One text for equal JSON values whatever the order of their keys (after RFC 8785). Depth is bounded by the caller. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const fields = Object.keys(value).sort(); // by UTF-16 code units
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonicalJson(Reflect.get(value, name))}`).join(",")}}`;
}
