/** Gives the words of a text: its letters and digits between other signs. */
export const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
