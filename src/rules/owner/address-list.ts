export type AddressAddition =
  | { readonly outcome: "added"; readonly addresses: readonly string[] }
  | { readonly outcome: "limit" };

/**
 * Adds an origin or return URL to a store's list of them; one that is listed stays
 * as it is.
 */
export function addAddress(
  addresses: readonly string[],
  value: string,
  max: number,
): AddressAddition {
  if (addresses.includes(value)) return { outcome: "added", addresses };
  if (addresses.length >= max) return { outcome: "limit" };
  return { outcome: "added", addresses: [...addresses, value] };
}
