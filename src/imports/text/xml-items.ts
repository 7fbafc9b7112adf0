import { maxRowLength, UnreadableRow } from "../../domain/text/row-reader.ts";
import { decodeXml } from "./html-text.ts";

export interface XmlItem {
  /** The item begins on this line. */
  readonly line: number;
  /** The texts of the item's own elements, by their names without a prefix. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads the items of an RSS or Atom feed from a text that comes in parts. It is no parser of XML
 * in general: a document type is refused, so that no entity can be declared, attributes are passed
 * over, and what lies deeper in an item, such as the price of its shipping, is not one of its own.
 */
export class XmlItemReader {
  #text = "";
  #line = 1;
  #path: string[] = [];
  /** The depth at which the item lies. Zero means that none is open. */
  #itemDepth = 0;
  #itemLine = 1;
  #itemLength = 0;
  #values = new Map<string, string[]>();
  #value = "";

  get line(): number {
    return this.#line;
  }

  /** Gives the items that end in this part. Throws `UnreadableRow`. */
  push(text: string): readonly XmlItem[] {
    this.#text += text;
    const items: XmlItem[] = [];
    let at = 0;
    for (;;) {
      const next = this.#readNext(at, items);
      if (next === null) break;
      at = next;
    }
    this.#text = this.#text.slice(at);
    if (this.#text.length > maxRowLength) this.#refuse("a tag never ends");
    return items;
  }

  /** Throws `UnreadableRow` when the feed breaks off. */
  end(): readonly XmlItem[] {
    if (this.#path.length > 0 || this.#text.trim() !== "") this.#refuse("the feed breaks off");
    return [];
  }

  /** Reads text, or one tag, and gives the place behind it. Gives null when more is needed. */
  #readNext(at: number, items: XmlItem[]): number | null {
    const text = this.#text;
    if (at >= text.length) return null;

    const open = text.indexOf("<", at);
    if (open !== at) {
      const end = open < 0 ? text.length : open;
      this.#take(text.slice(at, end), text.slice(at, end));
      return end;
    }
    for (const [begin, end] of passedOver) {
      if (text.startsWith(begin, at)) return this.#passOver(at, begin, end);
      // The part ends inside of the sign that tells what begins here.
      if (begin.startsWith(text.slice(at))) return null;
    }
    if (text.startsWith("<!", at)) this.#refuse("it declares a document type, which is not read");

    const end = tagEnd(text, at);
    if (end === null) return null;
    this.#readTag(text.slice(at, end), items);
    return end;
  }

  #passOver(at: number, begin: string, end: string): number | null {
    const found = this.#text.indexOf(end, at + begin.length);
    if (found < 0) return null;

    const whole = this.#text.slice(at, found + end.length);
    const inside = whole.slice(begin.length, -end.length);
    // The text of CDATA is no markup, so that its signs are written as XML would write them.
    this.#take(whole, begin === cdata ? inside.replaceAll("&", "&amp;") : "");
    return found + end.length;
  }

  #readTag(tag: string, items: XmlItem[]): void {
    this.#take(tag, "");
    const [, close, name] = /^<(\/?)(?:[^\s:/>]{1,100}:)?([^\s:/>]{1,100})[\s/>]/.exec(tag) ?? [];
    if (name === undefined) this.#refuse("a tag has no name that can be read");
    if (!close) this.#open(name);
    if (close || tag.endsWith("/>")) this.#close(name, items);
  }

  #open(name: string): void {
    if (this.#path.length >= maxDepth) this.#refuse("its elements are nested too deeply");
    this.#path.push(name);
    const depth = this.#path.length;
    if (this.#itemDepth === 0 && (name === "item" || name === "entry")) {
      this.#itemDepth = depth;
      this.#itemLine = this.#line;
      this.#itemLength = 0;
      this.#values = new Map();
    }
    if (depth === this.#itemDepth + 1) this.#value = "";
  }

  #close(name: string, items: XmlItem[]): void {
    const depth = this.#path.length;
    if (this.#path.pop() !== name) this.#refuse(`</${name}> closes nothing`);
    if (this.#itemDepth === 0) return;

    if (depth === this.#itemDepth + 1) {
      const values = this.#values.get(name) ?? [];
      values.push(decodeXml(this.#value).trim());
      this.#values.set(name, values);
    }
    if (depth === this.#itemDepth) {
      items.push({ line: this.#itemLine, values: this.#values });
      this.#itemDepth = 0;
    }
  }

  /** Counts the lines of what was read, and keeps the text of an element of the item. */
  #take(read: string, text: string): void {
    this.#line += read.split("\n").length - 1;
    if (this.#itemDepth === 0) return;

    this.#itemLength += read.length;
    if (this.#itemLength > maxRowLength)
      this.#refuse(`the item is longer than ${maxRowLength} characters`);
    if (this.#path.length === this.#itemDepth + 1) this.#value += text;
  }

  #refuse(message: string): never {
    throw new UnreadableRow(this.#itemDepth === 0 ? this.#line : this.#itemLine, message);
  }
}

const maxDepth = 32;
const cdata = "<![CDATA[";
const passedOver: readonly (readonly [begin: string, end: string])[] = [
  [cdata, "]]>"],
  ["<!--", "-->"],
  ["<?", "?>"],
];

/** Gives the place behind a tag. A `>` in the quotes of an attribute does not end it. */
function tagEnd(text: string, from: number): number | null {
  let quote = "";
  for (let at = from + 1; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (quote !== "") {
      if (sign === quote) quote = "";
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === ">") return at + 1;
  }
  return null;
}
