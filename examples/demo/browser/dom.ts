/** Finds the element of the page with this id. Throws an Error when there is none. */
export function el<T extends HTMLElement = HTMLElement>(id: string): T {
  const node = document.getElementById(id);
  if (!node) throw new Error(`The page has no #${id}.`);
  return node as T;
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Partial<HTMLElementTagNameMap[K]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
}

/** Makes a picture whose size is known before it loads, so that nothing moves. */
export const picture = (src: string | null | undefined, size: number): HTMLImageElement =>
  make("img", {
    width: size,
    height: size,
    alt: "",
    decoding: "async",
    src: src ?? "/images/none.svg",
  });
