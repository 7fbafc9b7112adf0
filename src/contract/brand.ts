import { grounds } from "./tokens.ts";

/** WCAG 2.2 asks for these contrasts: 1.4.3 for text, 1.4.11 for the edge of a control. */
const leastContrast = { text: 4.5, edge: 3 } as const;
const white = "#ffffff";
const black = "#000000";

/**
 * Lays a brand colour over the tokens. The button keeps the colour as it is, with
 * the text colour that reads best on it; for links and edges the colour is darkened
 * or lightened until its contrast is enough.
 */
export function brandTokens(color: string): string {
  const light = inks(color, "light");
  const dark = inks(color, "dark");
  const base = `--brand: ${color}; --on-brand: ${textOn(color)};`;
  return [
    `:root { ${base} ${light} }`,
    `@media (prefers-color-scheme: dark) { :root { ${base} ${dark} } }`,
  ].join("\n");
}

function inks(color: string, scheme: keyof typeof grounds): string {
  const towards = scheme === "light" ? black : white;
  const ink = mended(color, towards, { least: leastContrast.text, behind: grounds[scheme] });
  const edge = mended(color, towards, { least: leastContrast.edge, behind: grounds[scheme] });
  return `--brand-ink: ${ink}; --brand-edge: ${edge};`;
}

/** Gives white where it can be read. Black can be read on every other colour. */
export const textOn = (color: string): string =>
  contrast(white, color) >= leastContrast.text ? white : black;

interface ContrastRule {
  readonly least: number;
  readonly behind: readonly string[];
}

/** Mixes a colour with black or white, in steps of 4%, until its contrast is enough. */
function mended(color: string, towards: string, { least, behind }: ContrastRule): string {
  for (let share = 0; share < 1; share += 0.04) {
    const mixed = mix(color, towards, share);
    if (behind.every((ground) => contrast(mixed, ground) >= least)) return mixed;
  }
  return towards;
}

/** Gives the contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const mix = (color: string, towards: string, share: number): string => {
  const target = channels(towards);
  const mixed = channels(color).map((channel, index) =>
    Math.round(channel + ((target[index] ?? 0) - channel) * share),
  );
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
};

/** Gives red, green and blue of `#rrggbb`, each from 0 to 255. */
const channels = (color: string): readonly number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
