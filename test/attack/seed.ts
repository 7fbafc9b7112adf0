/** The rounds of an attack: few with `npm test`, many with ATTACK_ROUNDS=200. */
export const rounds = Number(process.env["ATTACK_ROUNDS"] ?? 3);

/** Numbers from 0 to 1 that a seed repeats. */
export type Random = () => number;

/** Prints the seed, so that ATTACK_SEED repeats a failing run. */
export function startSeed(attack: string): Random {
  const seed = Number(process.env["ATTACK_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`attack ${attack}: ATTACK_SEED=${seed}`);
  return randomFrom(seed);
}

/** The same numbers for the same seed, by the algorithm mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
