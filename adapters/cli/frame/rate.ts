/** Says how far long work is: what is done, its rate, and what is left. */
export function rateText(
  done: number,
  { of, ms, what }: { readonly of: number; readonly ms: number; readonly what: string },
): string {
  const perSecond = ms > 0 ? (done * 1_000) / ms : 0;
  const left = Math.max(of - done, 0);
  const wait = perSecond > 0 ? `, ${Math.ceil(left / perSecond)} s left` : "";
  return `${done} of ${Math.max(of, done)} ${what} · ${Math.round(perSecond)} a second${wait}`;
}
