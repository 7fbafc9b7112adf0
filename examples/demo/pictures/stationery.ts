const pencil = (x: number, color: string): string =>
  `<g transform="translate(${x} 0)"><path d="M-12-60H12V86h-24z" fill="${color}"/>` +
  '<path d="M-12-60 0-96l12 36z" fill="#efd3a4"/><path d="M-5-82 0-96l5 14z"/>' +
  '<rect x="-12" y="64" width="24" height="10" fill="$b"/><path d="M2-60h10V86H2z" opacity=".15"/></g>';

const roll = (cx: number, cy: number, color: string): string =>
  `<circle cx="${cx}" cy="${cy}" r="31" fill="none" stroke="${color}" stroke-width="24"/>` +
  `<circle cx="${cx}" cy="${cy}" r="36" fill="none" stroke="$b" stroke-width="4" stroke-dasharray="4 12"/>`;

export const stationeryPictures: Readonly<Record<string, string>> = {
  "dot-grid-notebook":
    '<rect x="-56" y="-86" width="124" height="172" rx="8" fill="$b"/><rect x="-64" y="-86" width="122" height="172" rx="10"/>' +
    '<path $line="$b" stroke-width="5" stroke-dasharray="0 17" opacity=".7" d="M-44-58h70M-44-41h70M-44-24h70M-44-7h70M-44 10h70M-44 27h70M-44 44h70M-44 61h70"/>' +
    '<path d="M36-86h9V86h-9z" fill="$a"/>',
  "brass-ballpoint":
    '<g transform="rotate(40)"><rect x="-6" y="-104" width="12" height="22" rx="4"/>' +
    '<rect x="-12" y="-86" width="24" height="132" rx="7" fill="#c99a3c"/><path d="M-12 46h24L2 88h-4z"/>' +
    '<rect x="8" y="-80" width="9" height="60" rx="4" fill="#9a7225"/><path d="M-12-2h24v8h-24z" fill="#9a7225"/></g>',
  "wax-seal-kit":
    '<path d="M-74 18q4-26 30-28 26-14 46 6 24 10 20 36-2 28-30 32-26 16-46-4-24-12-20-42z" fill="$a"/>' +
    '<circle cx="-28" cy="28" r="29" fill="#b84f35"/><path d="m-28 8 6 14 15 1-12 10 4 15-13-8-13 8 4-15-12-10 15-1z" fill="$b"/>' +
    '<path d="M38-14h32v-16q-6-8-6-24a18 18 0 1 0-20 0q0 16-6 24z"/><rect x="32" y="-14" width="44" height="20" rx="4" fill="#c99a3c"/>',
  "pencil-set-hb4b":
    pencil(-54, "$a") + pencil(-18, "#e2ae3c") + pencil(18, "#5b8f6a") + pencil(54, "$i"),
  "letter-paper":
    '<rect x="-58" y="-88" width="116" height="120" rx="4" fill="$b"/>' +
    '<path $line="$l" stroke-width="5" d="M-38-64h76M-38-46h76M-38-28h50"/>' +
    '<path d="M-86-26 0 34l86-60V74a8 8 0 0 1-8 8H-78a8 8 0 0 1-8-8z"/>' +
    '<path $line="$l" stroke-width="5" d="m-82 78 58-60M82 78 24 18"/>',
  "desk-calendar":
    '<rect x="-80" y="-66" width="160" height="144" rx="12" fill="$b"/>' +
    '<path d="M-80-30v-24a12 12 0 0 1 12-12H68a12 12 0 0 1 12 12v24z" fill="$a"/>' +
    '<path $line="$i" d="M-42-82v28M42-82v28"/>' +
    '<path $line="$l" stroke-width="14" stroke-dasharray="0 29" d="M-56-4h118M-56 24h118M-56 52h60"/><circle cx="31" cy="24" r="11" fill="$a"/>',
  "washi-tape-trio": roll(-44, 40, "$a") + roll(44, 40, "$i") + roll(0, -36, "#5b8f6a"),
  "ink-bottle-azulejo":
    '<rect x="-30" y="-84" width="60" height="32" rx="6"/>' +
    '<path d="M-30-50h60q36 10 36 44v76a12 12 0 0 1-12 12H-54a12 12 0 0 1-12-12V-6q0-34 36-44z" fill="$b"/>' +
    '<path d="M-58-4H58v68a10 10 0 0 1-10 10h-96a10 10 0 0 1-10-10z" fill="#2a62b8"/>' +
    '<path d="m0 8 26 26L0 60l-26-26z" fill="$b"/><path d="m0 20 14 14L0 48l-14-14z" fill="#2a62b8"/>',
  "cork-board":
    '<rect x="-94" y="-72" width="188" height="144" rx="8"/><rect x="-82" y="-60" width="164" height="120" fill="#d8a873"/>' +
    '<g transform="rotate(-6)"><rect x="-66" y="-46" width="58" height="66" fill="$b"/></g>' +
    '<g transform="rotate(5)"><rect x="10" y="-44" width="58" height="46" fill="$l"/><rect x="16" y="14" width="46" height="36" fill="$b"/></g>' +
    '<g fill="$a"><circle cx="-38" cy="-38" r="6"/><circle cx="42" cy="-36" r="6"/><circle cx="38" cy="22" r="6"/></g>' +
    '<path $line="$i" stroke-width="4" d="M-56-16h34M-55-4h34M-54 8h20"/>',
  "clip-binder":
    '<rect x="-66" y="-78" width="132" height="164" rx="10"/><rect x="-52" y="-60" width="104" height="134" fill="$b"/>' +
    '<path $line="$l" stroke-width="5" d="M-34-22h68M-34-2h68M-34 18h68M-34 38h42"/>' +
    '<path d="M-36-58v-18q0-8 8-8h12q0-14 16-14t16 14h12q8 0 8 8v18z" fill="#c99a3c"/><circle cy="-80" r="5" fill="$b"/>',
};
