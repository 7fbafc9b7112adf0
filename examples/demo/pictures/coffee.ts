/** Draws a bag of coffee with a sign on its label. */
const bag = (sign: string): string =>
  '<path d="M-54-66h108l8 16v126a10 10 0 0 1-10 10H-52a10 10 0 0 1-10-10V-50z"/>' +
  '<rect x="-54" y="-84" width="108" height="20" rx="3" fill="$a"/>' +
  `<rect x="-42" y="-34" width="84" height="88" rx="8" fill="$b"/>${sign}`;

export const coffeePictures: Readonly<Record<string, string>> = {
  "serra-dark-roast": bag('<path d="M-34 42-10-6 4 18l8-12 22 36z"/>'),
  "cerrado-medium-roast": bag(
    '<circle cy="4" r="17" fill="$a"/><path d="M-34 30h68v6h-68zM-24 40h48v5h-48z"/>',
  ),
  "morning-filter-blend": bag(
    '<path d="M-28 34a28 28 0 0 1 56 0z" fill="$a"/>' +
      '<path $line="$i" stroke-width="5" d="M0-6v-14M-24 4-34-6M24 4 34-6M-34 42h68"/>',
  ),
  "decaf-montanha": bag('<path d="M8-18a30 30 0 1 0 20 46A27 27 0 0 1 8-18z"/>'),
  "single-farm-natural": bag(
    '<path d="M0 8Q2-26 32-24 30 4 0 8zM0 8Q-6-18-28-16-24 6 0 8z" fill="#4f7a45"/>' +
      '<circle cx="-13" cy="26" r="13" fill="$a"/><circle cx="14" cy="30" r="13" fill="#b23c2f"/>',
  ),
  "espresso-no-7": bag('<path $line="$i" stroke-width="11" d="M-18-14h36L-4 40"/>'),
  "cold-brew-pack":
    '<rect x="-16" y="-90" width="32" height="20" rx="4" fill="$a"/>' +
    '<path d="M-14-70h28v24q26 12 26 42v78a12 12 0 0 1-12 12h-56a12 12 0 0 1-12-12V-4q0-30 26-42z"/>' +
    '<rect x="-40" y="0" width="80" height="54" fill="$b"/>' +
    '<path d="M0 6q22 26 0 40Q-22 32 0 6z" fill="$a"/>',
  "enamel-drip-kettle":
    '<path $line="$i" d="M46-6q52-8 42 46-4 22-32 22"/>' +
    '<path $line="$i" stroke-width="11" d="M-52 56q-34-6-32-56 0-30-18-40"/>' +
    '<path d="M-40-22h84l12 98a9 9 0 0 1-9 10h-90a9 9 0 0 1-9-10z"/>' +
    '<path d="M-40-22q42-36 84 0z" fill="$a"/><circle cx="2" cy="-48" r="8"/>' +
    '<path $line="$b" stroke-width="6" opacity=".5" d="M-28 0l-6 56"/>',
  "ceramic-dripper":
    '<path $line="$i" d="M60-52q34 2 20 28-8 14-34 14"/>' +
    '<path d="M-68-66H68L30 0h-60z"/><rect x="-52" y="-2" width="104" height="12" rx="6" fill="$l"/>' +
    '<path d="M-38 16h76l10 60a9 9 0 0 1-9 10h-78a9 9 0 0 1-9-10z" fill="$b"/>' +
    '<path d="M-43 46h86l5 30a9 9 0 0 1-9 10h-78a9 9 0 0 1-9-10z" fill="$a"/>' +
    '<path $line="$b" stroke-width="5" opacity=".5" d="M-36-52l22 38M36-52 14-14M0-52v38"/>',
  "paper-filters-100":
    '<g fill="$b" stroke="$i" stroke-width="5" stroke-linejoin="round">' +
    '<path d="M-22-62H92L54 46H16z"/><path d="M-56-48H58L20 60h-38z"/><path d="M-90-34H24l-38 108h-38z"/>' +
    '</g><path $line="$a" stroke-width="6" d="M-70-12H4"/>',
  "hand-grinder":
    '<path $line="$i" d="M0-50v-34h56"/><circle cx="60" cy="-84" r="13" fill="$a"/>' +
    '<path d="M-44-56h88l-8 38h-72z"/><rect x="-38" y="-18" width="76" height="14" fill="$a"/>' +
    '<path d="M-36-4h72l12 80a9 9 0 0 1-9 10h-78a9 9 0 0 1-9-10z"/>' +
    '<rect x="-22" y="34" width="44" height="30" rx="4" fill="$l"/><circle cy="49" r="5"/>',
};
