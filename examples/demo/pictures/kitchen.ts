/** Draws a small jar of spice, with its lid at the height 0. */
const spice = (x: number, color: string): string =>
  `<g transform="translate(${x} 0)"><rect x="-18" y="-34" width="36" height="22" rx="5"/>` +
  '<rect x="-24" y="-12" width="48" height="88" rx="9" fill="$b"/>' +
  `<path d="M-24 16h48v51a9 9 0 0 1-9 9h-30a9 9 0 0 1-9-9z" fill="${color}"/></g>`;

export const kitchenPictures: Readonly<Record<string, string>> = {
  "cast-iron-skillet":
    '<g transform="rotate(-24) translate(-8 4)"><rect x="40" y="-11" width="82" height="22" rx="11"/>' +
    '<circle cx="-24" r="70"/><circle cx="-24" r="56" fill="$l"/>' +
    '<ellipse cx="-28" cy="2" rx="38" ry="31" fill="$b"/><circle cx="-24" r="15" fill="#f0b33c"/></g>',
  "olive-wood-spoon":
    '<g transform="rotate(38)" fill="$a"><rect x="-8" y="-30" width="16" height="126" rx="8"/>' +
    '<ellipse cy="-56" rx="30" ry="42"/><ellipse cy="-58" rx="18" ry="28" fill="#9c4c28"/></g>',
  "chef-s-knife-20-cm":
    '<g transform="rotate(38)"><path d="M-16 16V-98q36 26 36 114z" fill="$b"/>' +
    '<path d="M8 16q2-60-24-114 36 26 36 114z" fill="$l"/>' +
    '<rect x="-16" y="16" width="32" height="80" rx="10"/>' +
    '<circle cy="38" r="4" fill="$l"/><circle cy="70" r="4" fill="$l"/></g>',
  "stoneware-bowl":
    '<path d="M-88-18H88q0 60-52 82v18h-72V64q-52-22-52-82z"/>' +
    '<ellipse cy="-18" rx="88" ry="20" fill="$l"/><ellipse cy="-16" rx="72" ry="13" fill="$a"/>' +
    '<path $line="$l" stroke-width="5" d="M-70 22q70 30 140 0"/>',
  "linen-tea-towel":
    '<path $line="$i" d="M-90-76H90"/><path d="M-58-76H58V74H-58z" fill="$b"/>' +
    '<path d="M-58 26H58v12H-58zM-58 46H58v6H-58z" fill="$a"/>' +
    '<path d="M14-76h44V74H14z" opacity=".08"/>' +
    '<path $line="$l" stroke-width="4" d="M-50 76v8M-30 76v8M-10 76v8M10 76v8M30 76v8M50 76v8"/>',
  "copper-measuring-cups":
    '<g fill="$a"><rect x="-20" y="-70" width="110" height="13" rx="6"/>' +
    '<path d="M-88-70h76v38a26 26 0 0 1-26 26h-24a26 26 0 0 1-26-26z"/></g>' +
    '<path d="M-84-62h68v10h-68z" fill="#9c4c28"/>' +
    '<g fill="#b85f37"><rect x="-18" y="14" width="94" height="12" rx="6"/>' +
    '<path d="M-66 14h58v28a22 22 0 0 1-22 22h-14a22 22 0 0 1-22-22z"/></g>' +
    '<path d="M-62 21h50v9h-50z" fill="#8a421f"/>',
  "clay-bean-pot":
    '<path $line="$i" stroke-width="11" d="M-76-24q-30 8-12 38M76-24q30 8 12 38"/>' +
    '<g fill="$a"><rect x="-14" y="-88" width="28" height="22" rx="9"/><path d="M-62-46q62-44 124 0z"/>' +
    '<path d="M-64-46H64q36 48 6 112a24 24 0 0 1-22 14h-96a24 24 0 0 1-22-14q-30-64 6-112z"/></g>' +
    '<path $line="#9c4c28" d="M-64-44H64"/>',
  "bamboo-steamer":
    '<g fill="#d9a860"><path d="M-76-30q76-54 152 0z"/>' +
    '<rect x="-84" y="-30" width="168" height="48" rx="8"/><rect x="-84" y="24" width="168" height="52" rx="8"/></g>' +
    '<circle cy="-62" r="8"/><path $line="#a8763a" stroke-width="6" d="M-84-6H84M-84 50H84M-40-30v46M40-30v46M-40 26v48M40 26v48"/>',
  "glass-storage-jar":
    '<rect x="-42" y="-90" width="84" height="24" rx="8" fill="$a"/>' +
    '<path d="M-40-64h80q16 8 16 28v104a14 14 0 0 1-14 14h-84a14 14 0 0 1-14-14V-36q0-20 16-28z" fill="$b"/>' +
    '<path d="M-50-4H50v70a10 10 0 0 1-10 10h-80a10 10 0 0 1-10-10z" fill="#e6b566"/>' +
    '<path $line="$l" stroke-width="6" d="M-38-34v84"/>',
  "salt-cellar":
    '<path d="M-56-10q56-52 112 0z" fill="$b"/><path d="M-66-10H66v62a26 26 0 0 1-26 26h-80a26 26 0 0 1-26-26z" fill="$a"/>' +
    '<g transform="rotate(-20) translate(6 -30)"><rect x="-64" y="-18" width="132" height="18" rx="9"/><circle cy="-24" r="10"/></g>',
  "spice-trio": spice(-60, "#c8402f") + spice(0, "#e0a52e") + spice(60, "#6f8f3f"),
};
