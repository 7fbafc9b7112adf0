/** Returns null when the sum is above 2^53-1, where numbers are not exact any more. */
export function addMoney(values: Iterable<number>): number | null {
  let sum = 0;
  for (const value of values) {
    sum += value;
    if (!Number.isSafeInteger(sum)) return null;
  }
  return sum;
}

/** Returns null when the product is above 2^53-1. */
export function multiplyMoney(amount: number, quantity: number): number | null {
  const product = BigInt(amount) * BigInt(quantity);
  return product <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(product) : null;
}
