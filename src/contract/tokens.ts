/**
 * Holds the sizes, spaces and colours that every page of this package draws from,
 * as CSS custom properties, for the light and the dark colour scheme. On `--paper`
 * and `--back` each text colour has a contrast of 4.5 at least, and `--edge`, which
 * bounds controls, of 3 (WCAG 2.2, 1.4.3 and 1.4.11).
 */
export const tokens = `
:root {
  color-scheme: light dark;

  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --font-code: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  --text-s: .875rem; --text-m: 1rem; --text-l: 1.25rem; --text-xl: 2.25rem;
  --space-1: .25rem; --space-2: .5rem; --space-3: .75rem; --space-4: 1rem;
  --space-5: 1.5rem; --space-6: 2rem; --space-7: 3rem;
  --radius-s: 8px; --radius-m: 14px;
  --control: 3rem;

  --ink: #16181f; --soft: #565b6b; --line: #e2e4ea; --edge: #868b9b;
  --paper: #ffffff; --back: #f5f6f8;
  --brand: #2b4fd6; --on-brand: #ffffff; --brand-ink: #2b4fd6; --brand-edge: #2b4fd6;
  --good: #12693a; --good-back: #e6f5ec;
  --bad: #b3201f; --bad-back: #fdecec;
  --warn: #6d4700; --warn-back: #fff3d6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #f3f4f7; --soft: #a9aebd; --line: #2e313b; --edge: #7c8192;
    --paper: #17191f; --back: #0f1014;
    --brand: #2b4fd6; --on-brand: #ffffff; --brand-ink: #93a9ff; --brand-edge: #6f86f0;
    --good: #6fd79c; --good-back: #12291c;
    --bad: #ff9a96; --bad-back: #331718;
    --warn: #f6cf7a; --warn-back: #2d230d;
  }
}
`.trim();

/** Holds the grounds that text and controls stand on, for computing the contrast of a colour. */
export const grounds = {
  light: ["#ffffff", "#f5f6f8"],
  dark: ["#17191f", "#0f1014"],
} as const;
