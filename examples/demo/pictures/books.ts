/** Draws a book in a colour of its own, with a sign on its cover. */
const book = (color: string, sign: string): string =>
  '<path d="M-56-88H58a8 8 0 0 1 8 8v168H-56a8 8 0 0 1-8-8V-80a8 8 0 0 1 8-8z" fill="$b"/>' +
  `<path d="M-56-88H58a8 8 0 0 1 8 8v152H-50a8 8 0 0 0 0 8h112v6H-56a8 8 0 0 1-8-8V-80a8 8 0 0 1 8-8z" fill="${color}"/>` +
  '<path d="M-64-80a8 8 0 0 1 8-8h8V72h-8q-8 0-8 6z" opacity=".3"/>' +
  '<rect x="-28" y="42" width="74" height="7" rx="3" fill="$b"/>' +
  `<rect x="-8" y="55" width="34" height="5" rx="2" fill="$b" opacity=".7"/>${sign}`;

const wave = (y: number): string => `M-34 ${y}q11-16 21 0t21 0 21 0 21 0`;

export const bookPictures: Readonly<Record<string, string>> = {
  "a-short-history-of-hammocks": book(
    "#2f7f79",
    '<path $line="$b" stroke-width="6" d="M-32-56v76M50-56v76"/>' +
      '<path d="M-32-36q41 84 82 0-41 40-82 0z" fill="$a"/>',
  ),
  "tides-of-bahia": book(
    "#2b6ca3",
    `<circle cx="9" cy="-46" r="16" fill="$a"/><path $line="$b" stroke-width="6" d="${wave(-14)}${wave(4)}${wave(22)}"/>`,
  ),
  "the-patient-baker": book(
    "#8a4b2d",
    '<path d="M-30 20v-26q-16-10-4-26 43-30 86 0 12 16-4 26v26z" fill="$a"/>' +
      '<path $line="$b" stroke-width="6" d="M-12-26l8 22M8-30l8 22M28-26l8 22"/>',
  ),
  "birds-of-the-coastal-forest": book(
    "#2f6b45",
    '<path d="M-34-26q44-30 62 2l22 6-20 10q-8 34-44 28-22-10-20-46z" fill="$a"/>' +
      '<path d="M-18-12q22-10 34 8-14 16-34-8z" fill="$b"/><circle cx="20" cy="-22" r="4"/>' +
      '<path $line="$b" stroke-width="4" d="M-4 20v10M8 20v10"/>',
  ),
  "letters-to-a-lighthouse": book(
    "#46397a",
    '<path d="M22-46 56-60v30zM-4-46-38-60v30z" fill="$a" opacity=".8"/>' +
      '<path d="M-4-52h26l10 80h-46z" fill="$b"/><path d="M-7-24h32l3 22h-38zM-8-52l17-18 17 18z" fill="#d2604f"/>',
  ),
  "knots-worth-knowing": book(
    "#33474f",
    '<path $line="$a" stroke-width="9" d="M-34 18q22 0 34-28t22-30q18 2 14 20T6-6-14-44q10-16 26 4t40 58"/>',
  ),
  "maps-for-walkers": book(
    "#a33f4f",
    '<path d="M-34-52l28-10 30 10 28-10v76l-28 10-30-10-28 10z" fill="$b"/>' +
      '<path d="M-6-62v76l30 10v-76z" opacity=".12"/>' +
      '<path $line="$i" stroke-width="5" stroke-dasharray="1 10" d="M-24 8q10-36 30-24t36-34"/><circle cx="42" cy="-50" r="6" fill="#d2604f"/>',
  ),
  "small-kitchens-big-tables": book(
    "#c46b3c",
    '<path d="M-34-10h86v9h-86z" fill="$b"/><path $line="$b" stroke-width="7" d="M-24 0v30M42 0v30"/>' +
      '<path d="M-18-14a22 22 0 0 1 44 0z" fill="$a"/><circle cx="4" cy="-39" r="5" fill="$a"/>' +
      '<path $line="$b" stroke-width="5" d="M38-14v-24"/>',
  ),
  "rain-atlas": book(
    "#4f6f94",
    '<path d="M-14-10a21 21 0 0 1 0-42 29 29 0 0 1 54-2 22 22 0 0 1-2 44z" fill="$b"/>' +
      '<path $line="$a" stroke-width="6" d="M-12 4l-7 20M11 4 4 24M34 4l-7 20"/>',
  ),
  "the-paper-boat": book(
    "#1f5f8b",
    '<path d="M9-60 44-10H-26z" fill="$b"/><path d="M9-60v50h35z" fill="$l"/>' +
      '<path d="M-40-10h98L36 20h-54z" fill="$a"/><path d="M-24 32h66" stroke="$b" stroke-width="5"/>',
  ),
};
