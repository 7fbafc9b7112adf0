import { type FieldRule, labelOf, pathTo, ruleOf } from "./request-log-fields.ts";

/** A body in the log has at most 4 KiB. */
const mostBytes = 4_096;
/** The number of bytes that are kept free for the ends of the list and of the objects around it. */
const reservedBytes = 400;
const mostListed = 20;
const mostFields = 100;
const mostDepth = 6;
/**
 * The most misspelt names that are guessed, because a guess takes time and a hostile body has
 * thousands of names.
 */
const mostGuesses = 10;

type Shape = string | number | readonly Shape[] | { readonly [name: string]: Shape };

interface View {
  /** The number of bytes that the rest may take. */
  bytes: number;
  guesses: number;
  /** The parameter in error, with the name that the error gives it. */
  readonly param: string | null;
}

interface Place {
  readonly path: string;
  readonly rule: FieldRule;
  readonly depth: number;
}

/**
 * Writes the structure of a body as JSON of at most 4 KiB. It has names of the
 * API's own fields, types such as `<string>`, and the few values that the table of
 * fields allows. It holds no other text of the client. It is ASCII.
 */
export function bodyShape(body: unknown, param: string | null): string {
  const view: View = { bytes: mostBytes - reservedBytes, guesses: mostGuesses, param };
  return JSON.stringify(shapeOf(body, { path: "", rule: { open: true }, depth: 0 }, view));
}

function shapeOf(value: unknown, place: Place, view: View): Shape {
  const isOpen = place.rule.open === true && place.depth < mostDepth;
  if (isOpen && Array.isArray(value)) return listShape(value, place, view);
  if (isOpen && typeof value === "object" && value !== null) return objectShape(value, place, view);

  const shown = keptOf(value, place, view) ?? `<${typeOf(value)}>`;
  view.bytes -= JSON.stringify(shown).length;
  return shown;
}

function keptOf(value: unknown, { path, rule }: Place, { param }: View): string | number | null {
  if (!rule.keep || (rule.inError && path !== param)) return null;
  return rule.keep(value);
}

function listShape(list: readonly unknown[], { path, rule, depth }: Place, view: View): Shape {
  const shapes: Shape[] = [];
  for (const [index, value] of list.entries()) {
    if (index === mostListed || view.bytes <= 0) {
      shapes.push(`<${list.length - index} more>`);
      break;
    }

    view.bytes -= 1;
    shapes.push(shapeOf(value, { path: `${path}[${index}]`, rule, depth: depth + 1 }, view));
  }
  view.bytes -= 16;
  return shapes;
}

function objectShape(object: object, { path, depth }: Place, view: View): Shape {
  const shapes: Record<string, Shape> = {};
  for (const [index, name] of Object.keys(object).entries()) {
    if (index === mostFields || view.bytes <= 0) {
      shapes["<more>"] = "<cut off>";
      break;
    }

    const rule = ruleOf(name);
    const label = rule ? name : guess(name, view);
    // Unknown fields with the same label are shown once.
    if (!rule && label in shapes) continue;

    view.bytes -= label.length + 4;
    const place = { path: pathTo(path, label), rule: rule ?? {}, depth: depth + 1 };
    shapes[label] = shapeOf(Reflect.get(object, name), place, view);
  }
  return shapes;
}

function guess(name: string, view: View): string {
  if (view.guesses <= 0) return "<unknown>";
  view.guesses -= 1;
  return labelOf(name);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}
