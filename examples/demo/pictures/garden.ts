const leaves = '<path d="M0 6Q-64-14-56-78-4-66 0 6 4-66 56-78 64-14 0 6z"/>';

const sprout = (x: number): string =>
  `<path $line="$i" stroke-width="5" d="M${x}-4v-40"/>` +
  `<path d="M${x}-34q-30-2-32-30 30 2 32 30 2-28 32-30-2 28-32 30z"/>`;

export const gardenPictures: Readonly<Record<string, string>> = {
  "terracotta-planter":
    `${leaves}<path d="M-48 16h96L36 84h-72z" fill="$a"/>` +
    '<rect x="-56" y="2" width="112" height="20" rx="5" fill="#a9652f"/>',
  "copper-watering-can":
    '<path $line="$i" d="M-14-18q30-70 82-12 30 38-6 78"/>' +
    '<g fill="$a"><path d="M-32-20h92v96a9 9 0 0 1-9 9h-74a9 9 0 0 1-9-9z"/>' +
    '<path d="M-32 70-96-22l14-10 50 60z"/></g><path d="m-108-22 32-26 8 10-32 26z"/>' +
    '<path $line="#a9652f" d="M-30 6h88"/>',
  "herb-seed-set":
    '<g transform="rotate(-14)"><rect x="-76" y="-62" width="78" height="126" rx="6" fill="$a"/></g>' +
    '<g transform="rotate(10) translate(24 0)"><rect x="-42" y="-66" width="84" height="136" rx="6" fill="$b"/>' +
    '<rect x="-42" y="-66" width="84" height="26" rx="6"/>' +
    '<path $line="$i" stroke-width="5" d="M0 54V0"/><path d="M0 30q-30-2-32-34 30 2 32 34 2-32 32-34-2 32-32 34z"/></g>',
  "folding-trowel":
    '<g transform="rotate(40)"><path d="M-30 0h60q8 62-30 98Q-38 62-30 0z" fill="#7d8d92"/>' +
    '<path d="M0 0h30q8 62-30 98z" fill="#65757a"/><rect x="-6" y="-34" width="12" height="38"/>' +
    '<rect x="-14" y="-98" width="28" height="68" rx="12" fill="$a"/></g>',
  "jute-plant-hanger":
    '<path $line="$a" stroke-width="6" d="M0-90-52 16M0-90 52 16M0-90V16"/><circle cy="-92" r="9" fill="$a"/>' +
    '<g transform="translate(0 14) scale(.8)">' +
    leaves +
    '</g><path d="M-56 14H56L44 72a10 10 0 0 1-10 8h-68a10 10 0 0 1-10-8z" fill="#d9a860"/>' +
    '<path $line="$a" stroke-width="5" d="M-50 38H50M-14 82l-8 14M0 82v16M14 82l8 14"/>',
  "worm-compost-kit":
    '<rect x="-80" y="-74" width="160" height="18" rx="8" fill="$a"/>' +
    '<rect x="-70" y="-52" width="140" height="40" rx="8"/><rect x="-70" y="-8" width="140" height="40" rx="8"/>' +
    '<rect x="-70" y="36" width="140" height="46" rx="8"/>' +
    '<path $line="#e79a86" d="M-44 62q11-20 22 0t22 0 22 0 22-4"/>' +
    '<path $line="$l" stroke-width="5" d="M-20-32h40M-20 12h40"/>',
  "pruning-shears":
    '<g transform="rotate(34)"><path $line="$a" stroke-width="16" d="M-4 14q-38 26-22 76M4 14q38 26 22 76"/>' +
    '<path d="M10 10Q-40-40-14-96 26-50 10 10z" fill="#7d8d92"/>' +
    '<path d="M-10 10Q36-30 22-88-16-50-10 10z" fill="#9aa9ae"/><circle cy="8" r="10"/></g>',
  "moss-pole":
    '<rect x="-15" y="-94" width="30" height="150" rx="14" fill="#7a6a45"/>' +
    '<path d="M0-30Q-54-24-62-70-14-74 0-30zM2 0Q52 2 66-40 18-48 2 0zM-2 34Q-52 40-66 0-18-10-2 34z"/>' +
    '<path d="M-48 52h96L38 86h-76z" fill="$a"/>',
  "plant-mister":
    '<path d="M-38-4Q0-40 38-4v78a12 12 0 0 1-12 12h-52a12 12 0 0 1-12-12z" fill="$a"/>' +
    '<path $line="$i" d="M-10-50q-22 6-22 30"/><rect x="-12" y="-58" width="24" height="36"/>' +
    '<path d="M-46-86h78a10 10 0 0 1 10 10v22h-56l-32-14z"/>' +
    '<g fill="#6aa6c9"><circle cx="-66" cy="-92" r="6"/><circle cx="-84" cy="-76" r="6"/><circle cx="-66" cy="-62" r="6"/></g>' +
    '<path $line="$b" stroke-width="6" opacity=".5" d="M-22 10v50"/>',
  "raised-bed-kit":
    sprout(-54) +
    sprout(0) +
    sprout(54) +
    '<path d="M-92-4H92v24H-92z" fill="#5b4130"/><rect x="-92" y="10" width="184" height="70" rx="4" fill="$a"/>' +
    '<path $line="#a9652f" stroke-width="5" d="M-88 34H88M-88 57H88"/>' +
    '<path d="M-92 6h18v80h-18zM74 6h18v80H74z" fill="#a9652f"/>',
};
