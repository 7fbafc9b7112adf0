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

/** Case- and accent-insensitive form for search: both sides of a comparison are folded. */
export const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[ßøđłæœıþð]/g, (letter) => special[letter] ?? letter)
    .normalize("NFC");
