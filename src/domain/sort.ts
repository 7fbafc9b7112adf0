interface Row {
  readonly id: string;
}

interface PositionedRow extends Row {
  readonly position: number;
}

const utf8 = new TextEncoder();

/** Compares two texts by their bytes, as a database does. */
export function compareTexts(a: string, b: string): number {
  const [one, other] = [utf8.encode(a), utf8.encode(b)];
  const at = one.findIndex((byte, index) => byte !== other[index]);
  return at < 0 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? -1);
}

export function compareIds(a: Row, b: Row): number {
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/** Compares rows in the order of lists: by position, and by id where positions are equal. */
export const comparePositions = (a: PositionedRow, b: PositionedRow): number =>
  a.position - b.position || compareIds(a, b);

/** Gives a page in the order of the ids; `after` is the id before its first row. */
export const pageById = <T extends Row>(
  rows: Iterable<T>,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): readonly T[] =>
  [...rows]
    .filter(({ id }) => after === null || id > after)
    .sort(compareIds)
    .slice(0, limit);
