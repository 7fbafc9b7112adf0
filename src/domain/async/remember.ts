/**
 * Remembers what `make` has given for a key. When there are `max` results, all of them
 * are forgotten, which is cheaper than knowing the oldest.
 */
export function remember<Key extends string | number, Value>(
  max: number,
  make: (key: Key) => Value,
): (key: Key) => Value {
  const known = new Map<Key, Value>();

  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;

    const made = make(key);
    if (known.size >= max) known.clear();
    known.set(key, made);
    return made;
  };
}
