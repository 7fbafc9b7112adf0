/** The addresses that examples and errors show. */
export const exampleAddresses = {
  origins: "https://shop.example.com",
  "return-urls": "https://shop.example.com/thanks",
} as const;

/** Puts the scheme before a host. Gives null for a word that is not a host. */
export function wholeAddress(word: string): string | null {
  if (/^(localhost|127\.0\.0\.1)(?=[:/]|$)/.test(word)) return `http://${word}`;
  return /^[\w-]+(\.[\w-]+)+(?=[:/]|$)/.test(word) ? `https://${word}` : null;
}
