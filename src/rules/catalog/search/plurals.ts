/** How words end in the singular and the plural, in Portuguese and English. */
const endings: readonly (readonly [one: string, many: string])[] = [
  ["", "s"],
  ["", "es"],
  ["ao", "oes"],
  ["ao", "aes"],
  ["al", "ais"],
  ["el", "eis"],
  ["il", "eis"],
  ["il", "is"],
  ["ol", "ois"],
  ["ul", "uis"],
  ["m", "ns"],
  ["y", "ies"],
  ["f", "ves"],
  ["fe", "ves"],
];

const leastStem = 1;

/** Gives what a folded word may be in the other number. Most of these are no words. */
export function otherNumbers(word: string): readonly string[] {
  const exchange = (from: string, to: string): readonly string[] =>
    word.endsWith(from) && word.length - from.length >= leastStem
      ? [word.slice(0, word.length - from.length) + to]
      : [];
  const forms = endings.flatMap(([one, many]) => [...exchange(many, one), ...exchange(one, many)]);
  return [...new Set(forms)].filter((form) => form.length >= 3);
}
