/**
 * Gives the least round number that is not below a value: one of the factors, with zeros behind
 * it. The value is at least 1, and the factors are sorted and begin with 1.
 */
export function leastRound(value: number, factors: readonly number[]): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return unit * (factors.find((each) => each * unit >= value) ?? 10);
}
