/** Remembers which names were seen of a holder, such as ids of a storage's rows. */
export interface SeenNames {
  has(holder: object, name: string): boolean;
  add(holder: object, name: string): void;
}

/**
 * Remembers at most `max` names of each holder. When there are more, all of that holder
 * are forgotten, which is cheaper than knowing the oldest. It keeps no holder alive.
 */
export function createSeenNames(max: number): SeenNames {
  const namesByHolder = new WeakMap<object, Set<string>>();

  return {
    has: (holder, name) => namesByHolder.get(holder)?.has(name) ?? false,

    add(holder, name) {
      const names = namesByHolder.get(holder) ?? new Set<string>();
      if (names.size >= max) names.clear();
      names.add(name);
      namesByHolder.set(holder, names);
    },
  };
}
