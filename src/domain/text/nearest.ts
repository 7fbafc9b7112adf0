/** Gives the known name that was meant, where one is near enough, and null where none is. */
export function nearestName(given: string, known: readonly string[]): string | null {
  const name = given.slice(0, maxLength).toLowerCase();
  const most = Math.max(1, Math.floor(name.length / 3));
  let nearest: string | null = null;
  let least = most + 1;
  for (const each of known) {
    const distance = editDistance(name, each.toLowerCase());
    if (distance < least) {
      least = distance;
      nearest = each;
    }
  }
  return nearest ?? known.find((each) => isPartOf(name, each.toLowerCase())) ?? null;
}

/** Says whether one name goes on where the other ends, as `lease` and `leaseMs` do. */
const isPartOf = (name: string, known: string): boolean =>
  name.length > 2 && (known.startsWith(name) || name.startsWith(known));

const maxLength = 100;

/**
 * Counts the letters that are put in, left out, replaced, or exchanged with their
 * neighbour, to make one text the other.
 */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let at = 1; at <= a.length; at += 1) {
    const row = [at];
    for (let to = 1; to <= b.length; to += 1) {
      const isSame = a[at - 1] === b[to - 1];
      const replaced = (last[to - 1] ?? 0) + (isSame ? 0 : 1);
      const isSwap = at > 1 && to > 1 && a[at - 1] === b[to - 2] && a[at - 2] === b[to - 1];
      const swapped = isSwap ? (before[to - 2] ?? 0) + 1 : replaced;
      row.push(Math.min((last[to] ?? 0) + 1, (row[to - 1] ?? 0) + 1, replaced, swapped));
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
