import { type Item, type Member, parseDictionary } from "./structured-fields.ts";

/** The parts of a message that a signature can cover. */
export interface SignedParts {
  /** The derived components, such as `@method`, by their names. */
  readonly derived: Readonly<Record<string, string>>;
  /** Gives the value of a header. It takes the name in lower case. */
  header(name: string): string | undefined;
}

/** The text that is signed, or the component that the message does not have. */
export type SignatureBase = { readonly base: string } | { readonly lacks: string };

/** Makes the text that is signed (RFC 9421, 2.5) of a member of `Signature-Input`. */
export function signatureBase(parts: SignedParts, { items, text }: Member): SignatureBase {
  const lines = new Map<string, string>();

  for (const item of items ?? []) {
    const value = lines.has(item.text) ? null : componentOf(parts, item);
    if (value === null) return { lacks: item.text };
    lines.set(item.text, value);
  }
  const all = [...lines, ['"@signature-params"', text] as const];
  return { base: all.map(([name, value]) => `${name}: ${value}`).join("\n") };
}

/**
 * Gives the value of a component. Gives null when the message does not have it, and for one with a
 * parameter `sf`, `bs`, `tr` or `req`: these are not supported.
 */
function componentOf({ derived, header }: SignedParts, { value: name, params }: Item) {
  if (typeof name !== "string") return null;
  if (name.startsWith("@"))
    return params.size === 0 && Object.hasOwn(derived, name) ? (derived[name] ?? null) : null;

  const field = name === name.toLowerCase() ? header(name)?.trim() : undefined;
  if (field === undefined || params.size === 0) return field ?? null;

  const key = params.get("key")?.value;
  if (params.size > 1 || typeof key !== "string") return null;
  return parseDictionary(field)?.get(key)?.text ?? null;
}
