const palettes: Readonly<Record<string, readonly [string, string, string]>> = {
  coffee: ["#efe3d3", "#6f4a2f", "#b97a4b"],
  kitchen: ["#e8ecef", "#39505f", "#d0734c"],
  garden: ["#e4f0e0", "#3c6e47", "#c98a4b"],
  books: ["#ece6f4", "#4b3f72", "#c46d7d"],
  stationery: ["#fdf2d8", "#8a6d1f", "#3d6c9e"],
  clothing: ["#e6eef5", "#2d4a73", "#c9574f"],
};
const plain: readonly [string, string, string] = ["#ececf1", "#4a4a5e", "#9a7fd1"];

/** Draws the picture of a product. The same slug always gives the same drawing. */
export function renderProductImage(slug: string, category: string): string {
  const [back, ink, accent] = palettes[category] ?? plain;
  const seed = [...slug].reduce(
    (sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0,
    7,
  );
  const pick = (most: number, shift: number): number => (seed >>> shift) % most;
  const x = 130 + pick(40, 3);
  const tilt = pick(24, 7) - 12;
  const shape =
    shapes[category]?.(ink, accent, pick(4, 11)) ??
    `<circle r="64" fill="${ink}"/><circle r="30" fill="${accent}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 300" role="img" aria-label="${slug}"><rect width="300" height="300" fill="${back}"/><ellipse cx="150" cy="236" rx="${80 + pick(30, 5)}" ry="12" fill="${ink}" opacity=".15"/><circle cx="${x + 70}" cy="${70 + pick(30, 9)}" r="${18 + pick(22, 13)}" fill="${accent}" opacity=".35"/><g transform="translate(150 150) rotate(${tilt})">${shape}</g></svg>`;
}

type Shape = (ink: string, accent: string, variant: number) => string;

const shapes: Readonly<Record<string, Shape>> = {
  coffee: (ink, accent, variant) =>
    variant < 2
      ? `<path d="M-55-20h110v60a40 40 0 0 1-40 40h-30a40 40 0 0 1-40-40z" fill="${ink}"/><path d="M55-8h14a22 22 0 0 1 0 44H55" fill="none" stroke="${ink}" stroke-width="12"/><path d="M-20-40q-12-18 0-34M10-40q-12-18 0-34" stroke="${accent}" stroke-width="8" fill="none"/>`
      : `<path d="M-50-70h100l-8 150h-84z" fill="${ink}"/><rect x="-46" y="-20" width="92" height="52" fill="${accent}"/><ellipse cy="6" rx="16" ry="20" fill="${ink}"/>`,
  kitchen: (ink, accent, variant) =>
    variant < 2
      ? `<circle r="62" cx="-15" cy="10" fill="${ink}"/><circle r="44" cx="-15" cy="10" fill="${accent}"/><rect x="40" y="0" width="78" height="20" rx="10" fill="${ink}"/>`
      : `<path d="M-70-10h140a70 70 0 0 1-140 0z" fill="${ink}"/><rect x="-6" y="-80" width="12" height="80" rx="6" fill="${accent}" transform="rotate(25)"/>`,
  garden: (ink, accent, variant) =>
    `<path d="M-46 20h92l-12 62h-68z" fill="${accent}"/><path d="M0 20q-${40 + variant * 6}-40-10-100q40 40 10 100" fill="${ink}"/><path d="M0 20q60-20 ${60 + variant * 5}-70q-60 10-60 70" fill="${ink}" opacity=".8"/>`,
  books: (ink, accent, variant) =>
    `<rect x="-52" y="-72" width="104" height="148" rx="6" fill="${ink}"/><rect x="-38" y="${-50 + variant * 12}" width="76" height="14" fill="${accent}"/><rect x="-38" y="${-26 + variant * 12}" width="48" height="8" fill="${accent}" opacity=".7"/><path d="M-52 64h104" stroke="#fff" stroke-width="8" opacity=".8"/>`,
  stationery: (ink, accent, variant) =>
    `<rect x="-58" y="-66" width="100" height="132" rx="8" fill="#fff" stroke="${ink}" stroke-width="6"/><path d="M-40-34h64M-40-8h64M-40 18h${30 + variant * 10}" stroke="${ink}" stroke-width="6" opacity=".5"/><path d="M70-70l14 8-62 110-18 10 4-20z" fill="${accent}"/>`,
  clothing: (ink, accent, variant) =>
    `<path d="M-40-64l-46 34 22 36 18-12v80h92v-80l18 12 22-36-46-34q-40 28-80 0z" fill="${ink}"/><path d="M-46 ${-6 + variant * 8}h92v14h-92z" fill="${accent}"/>`,
};
