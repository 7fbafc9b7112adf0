/**
 * Writes equal JSON values as the same text, whatever the order of their keys (see
 * RFC 8785). The caller must bound the depth of the value, since the function calls
 * itself for each level.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;

  // RFC 8785 orders keys by their UTF-16 code units, as sort() does.
  const names = Object.keys(value).sort();
  const fields = names.map((name) => {
    const field = canonicalJson(Reflect.get(value, name));
    return `${JSON.stringify(name)}:${field}`;
  });
  return `{${fields.join(",")}}`;
}
