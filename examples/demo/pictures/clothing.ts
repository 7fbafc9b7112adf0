const sock = (x: number, y: number): string =>
  `<g transform="translate(${x} ${y})"><path d="M-20-74h46V2q0 14 14 22l24 14q16 24-8 36H18q-24-2-32-24-6-16-6-34z"/>` +
  '<rect x="-22" y="-76" width="50" height="22" rx="4" fill="$a"/>' +
  '<path d="M-20-40h46v8h-46zM-20-24h46v8h-46z" fill="$l"/></g>';

const torso =
  "M-40-76q40 28 80 0l50 32-22 42-20-10v90a6 6 0 0 1-6 6h-84a6 6 0 0 1-6-6v-90l-20 10-22-42z";

export const clothingPictures: Readonly<Record<string, string>> = {
  "striped-cotton-shirt":
    `<path d="${torso}" fill="$b"/><path d="M-48-20h96v12h-96zM-48 6h96v12h-96zM-48 32h96v12h-96zM-48 58h96v12h-96z"/>` +
    '<path d="m-72-56-18 12 22 42 10-5zM72-56l18 12-22 42-10-5z" fill="$l"/>',
  "canvas-apron":
    '<path $line="$i" d="M-28-58q28-56 56 0M-70 4l-24 14M70 4l24 14"/>' +
    '<path d="M-32-62h64q2 40 42 54v86a8 8 0 0 1-8 8H-66a8 8 0 0 1-8-8V-8q40-14 42-54z" fill="$a"/>' +
    '<rect x="-36" y="20" width="72" height="38" rx="5" fill="#a94638"/><path d="M-1 20h2v38h-2z" fill="$b"/>',
  "wool-beanie":
    '<circle cy="-76" r="19" fill="$b"/><path d="M-68 34q-8-98 68-98t68 98z"/>' +
    '<path $line="$l" stroke-width="6" d="M-34-44q-12 40-10 66M0-56v78M34-44q12 40 10 66"/>' +
    '<rect x="-76" y="26" width="152" height="44" rx="14" fill="$a"/>',
  "linen-trousers":
    '<path d="M-50-84H50L68 86H20L0-24l-20 110h-48z" fill="#c9b48d"/><path d="M-50-84H50l2 16H-52z" fill="#a48f68"/>' +
    '<path $line="#a48f68" stroke-width="5" d="M0-68v40M-40-62q2 24-14 30M40-62q-2 24 14 30"/>',
  "merino-socks": sock(-42, -8) + sock(22, 10),
  "rain-poncho":
    '<path d="M-28-62Q-28-94 0-94t28 32L92 58Q0 104-92 58z" fill="#e2ae3c"/>' +
    '<path d="M-18-62q0-18 18-18t18 18q-6 18-18 22-12-4-18-22z"/>' +
    '<path $line="#b5852a" stroke-width="5" d="M0-38V82"/><path $line="#b5852a" stroke-width="7" d="M0-16h.1M0 8h.1M0 32h.1"/>' +
    '<path $line="#6aa6c9" stroke-width="6" d="m-74-70-6 16M74-70l-6 16M-92-30l-6 16M96-34l-6 16"/>',
  "straw-hat":
    '<ellipse cy="36" rx="98" ry="28" fill="#dcb362"/><ellipse cy="30" rx="60" ry="16" fill="#b88b3d"/>' +
    '<path d="M-54 28q-6-84 54-84t54 84q-54 22-108 0z" fill="#e9c67c"/><path d="M-55 8q55 24 110 0l-1 20q-54 22-108 0z" fill="$a"/>' +
    '<path $line="#c99d4f" stroke-width="4" d="M-40-14q40 16 80 0M-30-34q30 10 60 0"/>',
  "denim-work-jacket":
    '<path d="M-38-78h76l50 34 6 104-30 4-8-52v68a6 6 0 0 1-6 6h-100a6 6 0 0 1-6-6V12l-8 52-30-4 6-104z"/>' +
    '<path d="m-38-78 38 30 38-30 8 14-40 38h-12l-40-38z" fill="$l"/><path $line="$l" stroke-width="4" d="M0-40v124"/>' +
    '<path d="M-42-8h32v34h-32zM10-8h32v34H10z" fill="#3b5f90"/>' +
    '<g fill="#c99a3c"><circle cx="8" cy="-12" r="4"/><circle cx="8" cy="36" r="4"/><circle cx="8" cy="62" r="4"/></g>',
  "silk-scarf-ipe":
    '<path d="M4-30 44-38l22 112-40 8z" fill="#b5852a"/><path d="M-28-36h40L4 78h-44z" fill="#e2ae3c"/>' +
    '<path d="M-64-78Q0-44 64-78l14 34Q0 8-78-44z" fill="#efc452"/>' +
    '<path $line="$a" stroke-width="7" stroke-dasharray="0 22" d="M-52-52Q0-20 56-52M-14-6l-8 74M34-8l14 66"/>',
  "leather-belt":
    '<circle r="64" fill="none" stroke="#6b3f26" stroke-width="26"/><circle r="36" fill="none" stroke="#82502f" stroke-width="22"/>' +
    '<path d="M0-77h66q20 0 20 13t-20 13H0z" fill="#82502f"/>' +
    '<rect x="14" y="-88" width="46" height="48" rx="8" fill="none" stroke="#c99a3c" stroke-width="9"/>' +
    '<circle cx="72" cy="-64" r="4" fill="$b"/><circle r="64" fill="none" stroke="#c99a6a" stroke-width="2" stroke-dasharray="6 6"/>',
};
