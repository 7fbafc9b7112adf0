const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** No NUL and no lone surrogate: what every storage keeps and gives back as it came. */
export const isCleanText = (text: string): boolean =>
  !text.includes("\u0000") && isWellFormed(text);

// The runtime's own where there is one: every text of every request is looked at.
const hasOwn = "isWellFormed" in String.prototype;
const isWellFormed = (text: string): boolean =>
  hasOwn ? (text as string & { isWellFormed(): boolean }).isWellFormed() : !lone.test(text);

/** True when no value of the JSON text is nested deeper than `max`; looks at brackets outside strings alone, without recursion. */
export function jsonDepth(text: string, max: number): boolean {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text.charCodeAt(index);
    if (inText) {
      if (letter === 0x5c) index += 1;
      else if (letter === 0x22) inText = false;
    } else if (letter === 0x22) inText = true;
    else if (letter === 0x7b || letter === 0x5b) {
      depth += 1;
      if (depth > max) return false;
    } else if (letter === 0x7d || letter === 0x5d) depth -= 1;
  }
  return true;
}
