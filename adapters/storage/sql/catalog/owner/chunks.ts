/**
 * Cuts a list into chunks of a few different lengths: the database keeps a prepared
 * statement for each length. No chunk has more parameters than a database takes.
 */
export function* chunks<T>(list: readonly T[]): Generator<readonly T[], void> {
  let start = 0;
  while (start < list.length) {
    const left = list.length - start;
    const size = chunkSizes.find((candidate) => candidate <= left) ?? 1;
    yield list.slice(start, start + size);
    start += size;
  }
}

const chunkSizes = [256, 64, 16, 4] as const;
