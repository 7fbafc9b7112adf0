import { fail } from "../../contract/errors.ts";
import { type Html, html, raw } from "../../contract/html.ts";
import type { Product } from "../../contract/schemas.ts";
import { remember } from "../../domain/async/remember.ts";
import { fnv1a } from "../../domain/keys/fnv1a.ts";
import { createMoneyFormat } from "../../domain/money.ts";
import type { FeedFormat, FeedSource } from "./feed-source.ts";
import { offerOf } from "./offer.ts";

/**
 * Google takes this many characters of an id, and this many further pictures. A longer slug or
 * group stands in an element of our own, where `vitrine/import` finds it.
 */
const maxId = 50;
const maxFurther = 10;

const namespace = "http://base.google.com/ns/1.0";

/** XML 1.0 has no such characters, escaped or not. */
const noXml = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/**
 * Writes Google's product feed: RSS 2.0 whose items have the attributes of Merchant Center.
 * `vitrine/import` reads the same products from it.
 */
export function googleFeed(source: FeedSource): FeedFormat {
  const { store, urlOf } = source;
  if (!urlOf)
    return fail("resource_not_found", {
      message:
        "The feed needs the addresses of the products' pages: set the option productUrl, and the " +
        "store's website_url where the pattern names it.",
    });
  const head = html`<rss version="2.0" xmlns:g="${namespace}" xmlns:v="urn:vitrine">
<channel>
${element("title", store.name)}${element("link", store.website_url ?? "")}${element(
  "description",
  store.description ?? store.name,
)}`;
  return {
    head: `<?xml version="1.0" encoding="UTF-8"?>\n${head.html}`,
    item: (product) => itemOf(product, urlOf(product), source).html,
    end: "</channel>\n</rss>\n",
  };
}

function itemOf(product: Product, url: string, { categoriesOf }: FeedSource): Html {
  const { id, slug, name, description, price } = product;
  const { pictures, before } = offerOf(product);
  const amountOf = amountsIn(product.currency);
  const [picture, ...further] = pictures;
  const parts = [
    ...(slug.length > maxId
      ? [element("g:id", id), element("v:slug", slug)]
      : [element("g:id", slug)]),
    element("g:title", name),
    description === null ? null : element("g:description", asHtml(description)),
    element("g:link", url),
    picture === undefined ? null : element("g:image_link", picture),
    ...further.slice(0, maxFurther).map((url) => element("g:additional_image_link", url)),
    element("g:availability", product.available ? "in_stock" : "out_of_stock"),
    element("g:price", amountOf(before ?? price)),
    before === null ? null : element("g:sale_price", amountOf(price)),
    ...categoriesOf(product).map((category) => element("g:product_type", category.name)),
    ...variantParts(product),
    // Products have neither a brand nor a number of their maker.
    element("g:identifier_exists", "no"),
  ];
  return html`<item>\n${parts.filter((part) => part !== null)}</item>\n`;
}

/** Google asks what groups variants, and knows the names of a few options. */
const variantParts = ({ group, options = [] }: Product): readonly Html[] => [
  ...(group ? [element("g:item_group_id", shortId(group.id))] : []),
  ...(group && shortId(group.id) !== group.id ? [element("v:group", group.id)] : []),
  ...options.flatMap(({ name, value }) => {
    const known = googleOptions.find(({ names }) => names.test(name));
    return known ? [element(known.element, value)] : [];
  }),
  // A colon in a name is written twice, so that the reader finds where the name ends.
  ...options.map(({ name, value }) =>
    element("v:option", `${name.replaceAll(":", "::")}: ${value}`),
  ),
];

/** Cuts a long id. The hash behind it tells it from others that begin alike. */
function shortId(id: string): string {
  const letters = [...id];
  if (letters.length <= maxId) return id;
  return `${letters.slice(0, maxId - 9).join("")}-${fnv1a(id).toString(16).padStart(8, "0")}`;
}

const googleOptions = [
  { element: "g:size", names: /^(size|tamanho|talla)$/i },
  { element: "g:color", names: /^(colou?r|cor)$/i },
  { element: "g:material", names: /^material$/i },
];

const element = (name: string, text: string): Html =>
  html`${raw(`<${name}>`)}${text.replace(noXml, "")}${raw(`</${name}>\n`)}`;

/** Escapes a text as HTML, which Google reads in descriptions. Its element escapes it as XML. */
const asHtml = (text: string): string => html`${text}`.html.replaceAll("\n", "<br>");

/** Writes `34.50 BRL`: a point before the fraction, and none between thousands. */
const amountsIn = remember(100, (currency: string) => {
  const format = createMoneyFormat(currency, { locale: "en", currencyDisplay: "code" });
  return (amount: number) => `${format(amount).replace(/[^\d.]/g, "")} ${currency}`;
});
