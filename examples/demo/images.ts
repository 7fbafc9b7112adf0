import { bookPictures } from "./pictures/books.ts";
import { clothingPictures } from "./pictures/clothing.ts";
import { coffeePictures } from "./pictures/coffee.ts";
import { gardenPictures } from "./pictures/garden.ts";
import { kitchenPictures } from "./pictures/kitchen.ts";
import { stationeryPictures } from "./pictures/stationery.ts";

/** The colours of a picture. A drawing names each by its first letter, for example `$a`. */
interface Palette {
  readonly ground: string;
  readonly ink: string;
  readonly accent: string;
  readonly bright: string;
  readonly light: string;
}

const sets: readonly (readonly [Palette, Readonly<Record<string, string>>])[] = [
  [palette("#f3e6d6", "#5f3b24", "#c5793f", "#fff8ee", "#dcb78e"), coffeePictures],
  [palette("#e3ebee", "#33474f", "#cf7146", "#ffffff", "#a9bac1"), kitchenPictures],
  [palette("#e1efdc", "#2f6b45", "#c47f45", "#fbfff8", "#a8c3a0"), gardenPictures],
  [palette("#ece6f5", "#46397a", "#f0b35a", "#fffaf2", "#b9abdc"), bookPictures],
  [palette("#fbefcf", "#2f4f78", "#d9694b", "#fffdf6", "#e0bd72"), stationeryPictures],
  [palette("#dfeaf4", "#2b4870", "#d2604f", "#ffffff", "#9db7d3"), clothingPictures],
];

const plain = palette("#e9eaf0", "#474b60", "#8f7fd6", "#ffffff", "#b6bacb");
const parcel =
  '<path d="M-72-30 0-66l72 36v80L0 86l-72-36z"/><path d="M-72-30 0 6l72-36L0-66z" fill="$a"/>' +
  '<path $line="$b" d="M-36-48 36-12v28"/>';

function palette(
  ground: string,
  ink: string,
  ...[accent, bright, light]: readonly [string, string, string]
): Palette {
  return { ground, ink, accent, bright, light };
}

/** Draws the picture of a product of the demo's catalog, and a parcel for any other product. */
export function renderProductImage(slug: string): string {
  const [colors, drawings] = sets.find(([, set]) => set[slug] !== undefined) ?? [plain, null];
  const drawing = colored(drawings?.[slug] ?? parcel, colors);
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 300" width="300" height="300">' +
    `<rect width="300" height="300" fill="${colors.ground}"/>` +
    `<ellipse cx="150" cy="242" rx="92" ry="11" fill="${colors.ink}" opacity=".14"/>` +
    `<g transform="translate(150 146) scale(1.12)" fill="${colors.ink}" stroke-width="8">` +
    `${drawing}</g></svg>`
  );
}

/** Writes the colours in place of `$i`, `$a`, `$b` and `$l`, and a stroke in place of `$line`. */
function colored(drawing: string, { ink, accent, bright, light }: Palette): string {
  const stroke = 'fill="none" stroke-linecap="round" stroke-linejoin="round" stroke=';
  const byLetter: Readonly<Record<string, string>> = { i: ink, a: accent, b: bright, l: light };
  return drawing
    .replaceAll("$line=", stroke)
    .replace(/\$([iabl])/g, (_, letter: string) => byLetter[letter] ?? ink);
}
