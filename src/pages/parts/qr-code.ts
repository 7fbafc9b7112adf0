import { generate } from "lean-qr";
import { type Html, html, raw } from "../../contract/html.ts";
import { remember } from "../../domain/async/remember.ts";

/** Scanners need this empty edge around a code, in modules (ISO/IEC 18004). */
const quietZone = 4;

/** Browsers ask for a code again while they wait, and it takes milliseconds to make. */
const maxRemembered = 200;
const drawingOf = remember(maxRemembered, draw);

interface Drawing {
  readonly side: number;
  /** The `d` of an SVG path, whose strokes have the width 1. */
  readonly path: Html;
}

/**
 * Draws a text as a QR code, dark on white in both colour schemes, because not
 * every scanner reads the opposite. Gives null when no code holds so much text.
 */
export function qrCode(text: string, label: string): Html | null {
  const drawing = drawingOf(text);
  if (drawing === null) return null;

  const { side, path } = drawing;
  return html`<svg class="qr" viewBox="0 0 ${side} ${side}" role="img" aria-label="${label}"
shape-rendering="crispEdges"><rect width="${side}" height="${side}" fill="#fff"/>
<path stroke="#000" d="${path}"/></svg>`;
}

type Code = ReturnType<typeof generate>;

function draw(text: string): Drawing | null {
  try {
    const code = generate(text);
    return { side: code.size + 2 * quietZone, path: raw(modulePath(code)) };
  } catch {
    return null;
  }
}

/**
 * Draws one stroke for each run of dark modules in a row, through the middle of the
 * row. The steps are relative, which makes the text half as long.
 */
function modulePath(code: Code): string {
  let path = "";
  for (let y = 0; y < code.size; y += 1) {
    let end: number | null = null;
    for (let x = 0; x < code.size; x += 1) {
      const start = x;
      while (code.get(x, y)) x += 1;
      if (x === start) continue;

      path += end === null ? `M${start + quietZone} ${y + quietZone + 0.5}` : `m${start - end} 0`;
      path += `h${x - start}`;
      end = x;
    }
  }
  return path;
}
