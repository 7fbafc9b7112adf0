interface Line {
  readonly name: string;
  /** The values are in order of size. */
  readonly values: Readonly<Record<string, number>>;
}

const width = 480;
const height = 240;
const left = 56;
const right = 110;
const top = 34;
const bottom = 30;
const colors = ["#1f6feb", "#d1570a", "#1a7f37", "#8250df"];

/**
 * Plots milliseconds by number of rows. Each size is ten times the last, at equal distances. Time
 * is linear and begins at zero, so that constant cost looks flat.
 */
export function plot(title: string, lines: readonly Line[]): string {
  const sizes = [...new Set(lines.flatMap(({ values }) => Object.keys(values)))];
  const most = Math.max(...lines.flatMap(({ values }) => Object.values(values)));
  const ceiling = niceAbove(most);
  const x = (size: string): number =>
    left + (sizes.indexOf(size) / Math.max(1, sizes.length - 1)) * (width - left - right);
  const y = (value: number): number =>
    height - bottom - (value / ceiling) * (height - top - bottom);
  const at = (value: number): string => value.toFixed(1);

  const grid = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const level = at(y(part * ceiling));
    const label = Number((part * ceiling).toPrecision(3));
    const line = `<path d="M${left} ${level}H${width - right}" stroke="#d0d7de"/>`;
    const place = `x="${left - 6}" y="${level}" text-anchor="end" dominant-baseline="middle"`;
    return `${line}<text ${place}>${label}</text>`;
  });
  const marks = sizes.map(
    (size) =>
      `<text x="${at(x(size))}" y="${height - 10}" text-anchor="middle">${escaped(size)}</text>`,
  );
  const drawn = lines.map(({ name, values }, index) => {
    const color = colors[index % colors.length];
    const points = Object.entries(values).map(
      ([size, value]) => [at(x(size)), at(y(value))] as const,
    );
    const dots = points
      .map(([px, py]) => `<circle cx="${px}" cy="${py}" r="3" fill="${color}"/>`)
      .join("");
    const place = `x="${width - right + 12}" y="${top + 10 + index * 18}"`;
    const legend = `<text ${place} fill="${color}">${escaped(name)}</text>`;
    const path = points.map((point) => point.join(",")).join(" ");
    const stroke = `fill="none" stroke="${color}" stroke-width="2"`;
    return `<polyline points="${path}" ${stroke}/>${dots}${legend}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11" fill="#57606a">
<title>${escaped(title)}, milliseconds per call by number of rows</title>
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="${left}" y="18" font-size="13" fill="#24292f">${escaped(title)}, ms per call by rows</text>
${[...grid, ...marks, ...drawn].join("\n")}
</svg>
`;
}

/** Rounds up to one of 1, 2, 5, 10, 20, 50 and so on. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value > 0 ? value : 1));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
