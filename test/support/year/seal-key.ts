/** Every process of the year seals with this key. */
export const sealKey = new Uint8Array(32).fill(7);
