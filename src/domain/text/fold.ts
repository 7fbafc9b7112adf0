/** Unicode does not decompose these letters into a base letter and an accent. */
const special: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  đ: "d",
  ł: "l",
  æ: "ae",
  œ: "oe",
  ı: "i",
  þ: "th",
  ð: "d",
};

/** Removes case and accents for a search. Fold both texts before they are compared. */
export const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßøđłæœıþð]/g, (letter) => special[letter] ?? letter)
    .normalize("NFC");
