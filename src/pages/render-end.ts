import { type Html, html } from "../contract/html.ts";
import type { Order } from "../contract/schemas.ts";
import { boughtForm } from "./customer/bought-form.ts";
import type { BuyerForm } from "./parts/buyer-form.ts";
import { actionButton, linkButton, note } from "./parts/elements.ts";
import type { StateIcon } from "./parts/icons.ts";
import { webLink } from "./parts/links.ts";
import type { WhatNext } from "./parts/what-next.ts";
import { stateHead } from "./render-waiting.ts";
import type { Scene } from "./scene.ts";
import { formatTime } from "./texts/format.ts";
import type { TextName } from "./texts/text-names.ts";

/** The states in which the page has nothing more to do. Each state has a way on. */
export type EndName = keyof typeof ends;

interface End {
  readonly icon: StateIcon;
  readonly title: TextName;
  readonly next: TextName;
  readonly way: "continue" | "back";
}

const ends = {
  paid: { icon: "good", title: "paid_title", next: "paid_next", way: "continue" },
  refunded: { icon: "good", title: "refunded_title", next: "refunded_next", way: "continue" },
  expired: { icon: "bad", title: "expired_title", next: "expired_next", way: "back" },
  sold_out: { icon: "bad", title: "sold_out_title", next: "sold_out_next", way: "back" },
  coupon: { icon: "bad", title: "coupon_title", next: "coupon_next", way: "back" },
  too_many: { icon: "bad", title: "too_many_title", next: "too_many_next", way: "back" },
  no_methods: { icon: "bad", title: "no_methods_title", next: "no_methods_next", way: "back" },
} as const satisfies Record<string, End>;

export const endTitle = (name: EndName): TextName => ends[name].title;

/** A product of which fewer are left than the session has. */
export interface GoneProduct {
  readonly id: string;
  readonly name: string;
}

/** An end, with the products that it is about where they are known. */
export interface ShownEnd {
  readonly name: EndName;
  readonly goods?: readonly GoneProduct[];
  /** What the buyer has typed, where they can go on without these products; else null. */
  readonly goOn?: BuyerForm | null;
}

export function renderEnd(scene: Scene, { name, goods = [], goOn = null }: ShownEnd): Html {
  const { language, view } = scene;
  const { way } = ends[name];
  const address = webLink(way === "continue" ? view.success_url : view.cancel_url);
  const store = view.store.name;
  const label = language.say(way === "continue" ? "continue_to_store" : "back_to_store", { store });
  const order = way === "continue" ? view.order : null;

  const named =
    goods.length === 0
      ? ends[name]
      : {
          ...ends[name],
          next: goOn ? ("sold_out_go_on" as const) : ("sold_out_goods" as const),
          values: { goods: new Intl.ListFormat(language.locale).format(goods.map(nameOf)) },
        };
  return html`${stateHead(scene, named)}
${order && orderNotes(scene, order)}
${scene.whatNext && nextSteps(scene, scene.whatNext)}
${goOn && goOnForm(scene, goods, goOn)}
${linkButton(label, address, goOn ? "plain" : "primary")}
${name === "paid" ? boughtForm(scene) : null}`;
}

const nameOf = ({ name }: GoneProduct): string => name;

/** Renders the one click that goes on with the rest; what was typed is sent along. */
function goOnForm(
  { language, path }: Scene,
  goods: readonly GoneProduct[],
  { isChange: _, ...typed }: BuyerForm,
): Html {
  const fields = [...goods.map(({ id }) => ["without", id] as const), ...Object.entries(typed)];
  const hidden = fields.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${path}">${hidden}
${actionButton(language.say("go_on"), "go_on", "primary")}</form>`;
}

/** Names the order, and when it was paid, so that the page can be kept as a receipt. */
function orderNotes({ language, view }: Scene, { number, paid_at }: Order): Html {
  const style = { locale: language.locale, timezone: view.store.timezone };
  const paid = paid_at === null ? null : formatTime(Date.parse(paid_at), style);
  return html`${note(language.say("order_number", { number: String(number) }))}
${paid === null ? null : note(language.say("paid_at", { time: paid }))}`;
}

/** Renders the store's own words as plain text. */
const nextSteps = ({ language }: Scene, { text, lang }: WhatNext): Html =>
  html`<section class="what-next"><h2>${language.say("what_next_title")}</h2>
<p lang="${lang}">${text.trim()}</p></section>`;
