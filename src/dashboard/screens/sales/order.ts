import { isApiError } from "../../../contract/errors.ts";
import { type Html, html } from "../../../contract/html.ts";
import type { OwnerOrder } from "../../../owner/sales/orders.ts";
import { awaitsPayment } from "../../../rules/orders/order-states.ts";
import { refundable } from "../../../rules/orders/refundable.ts";
import { erasedCustomerId } from "../../../rules/owner/erased-customer.ts";
import { may } from "../../access/access.ts";
import { inStore } from "../../addresses.ts";
import { timeTag } from "../../format.ts";
import { withRefusal } from "../../forms/conflict.ts";
import { actionLink, badge, card, codeBox, facts, screenForm } from "../../frame/elements.ts";
import { explain } from "../../frame/explain.ts";
import {
  type FormResult,
  partitionOf,
  type Screen,
  type StoreVisit,
  type View,
} from "../../screen.ts";
import { buyerName } from "./customer-parts.ts";
import { buyerLinkButton, buyerLinkForm } from "./delivered/buyer-link.ts";
import { entitlementForms, entitlementsCard } from "./delivered/entitlements.ts";
import { disputeNotices, historyList, readActs } from "./order-history.ts";
import { itemsCard, moneyCard } from "./order-money.ts";
import { findOrder, orderAddress, orderBadge } from "./order-parts.ts";

/** A note that was typed, with its fault. */
interface TypedNote {
  readonly text: string;
  readonly fault: string | null;
}

const noNote: TypedNote = { text: "", fault: null };

interface Shown {
  readonly note?: TypedNote;
  /** The link to the buyer's page that was just made. */
  readonly link?: Html | null;
}

async function orderView(
  visit: StoreVisit,
  { note = noNote, link = null }: Shown = {},
): Promise<View> {
  const { parts, store, livemode, language } = visit;
  const { say } = language;
  const partition = { store_id: store.id, livemode };
  const order = await findOrder(visit);
  const reference = { ...partition, order_id: order.id };
  const [entries, payments, endpoints, acts] = await Promise.all([
    parts.owner.orders.timeline(reference),
    parts.orders.listPayments(order.id, partition),
    parts.owner.endpoints.list(partition),
    readActs(visit, order.id),
  ]);
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]));

  const list = historyList(visit, { order, entries, urls, acts });
  const history = html`${noteForm(visit, note)}${list}`;
  return {
    title: say("order_title", { number: String(order.number) }),
    crumbs: [{ label: say("section_orders"), address: inStore(visit, ["orders"]) }],
    lead: html`${orderBadge(visit, order.status)} ${timeTag(visit, order.created_at)}`,
    primary: buttons(visit, order),
    body: html`${link}${disputeNotices(visit, entries)}<div class="split"><div class="cards">
${itemsCard(visit, order)}${await entitlementsCard(visit, order)}
${moneyCard(visit, payments)}${card(say("history_title"), history)}</div>
<div class="cards">${customerCard(visit, order)}${aboutCard(visit, order)}</div></div>`,
  };
}

/** Says that the host may have the order in its files. */
function archivedView(visit: StoreVisit, month: string): View {
  const { say } = visit.language;
  return {
    title: say("order_archived_title", { month }),
    crumbs: [{ label: say("section_orders"), address: inStore(visit, ["orders"]) }],
    body: html`<p>${say("order_archived_next", { month, id: visit.params["id"] ?? "" })}</p>`,
  };
}

/** Shows the buttons for what can be done with an order in its present state. */
function buttons(visit: StoreVisit, order: OwnerOrder): Html {
  const { say } = visit.language;
  const address = (step: string): string => orderAddress(visit, order.id, step);
  const cancel = { label: "order_cancel", address: address("cancel") } as const;
  const refund = { label: "refund_do", address: address("refund") } as const;
  return html`<div class="actions">
<a class="button" href="${address("receipt")}">${say(
    order.paid_at === null ? "receipt_print" : "receipt",
  )}</a>
${awaitsPayment(order.status) ? actionLink(visit, "orders.mark_failed", cancel) : null}
${refundable(order) > 0 ? actionLink(visit, "orders.refund", refund) : null}</div>`;
}

function customerCard(visit: StoreVisit, order: OwnerOrder): Html {
  const { say } = visit.language;
  const { id, email, discord_id, tax_id, country } = order.customer;
  const name = buyerName(visit, order.customer);
  if (id === erasedCustomerId) return card(say("customer"), html`<p>${name}</p>`);

  const known = [
    [say("email"), email],
    ["Discord", discord_id],
    [say("tax_id"), tax_id],
    [say("store_country"), country],
  ] as const;
  return card(
    say("customer"),
    html`<p><a href="${inStore(visit, ["customers", id])}">${name}</a></p>
${facts(known.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const])))}
<p><a href="${inStore(visit, ["orders"], { customer: id })}">${say("customer_orders")}</a></p>
${buyerLinkButton(visit, order)}`,
  );
}

/** Shows where an order comes from, and what the shop wrote on it. */
function aboutCard(visit: StoreVisit, order: OwnerOrder): Html {
  const { say } = visit.language;
  const { subscription_id, failure_code, payment_method, checkout_session_id, channel } = order;
  const code = (text: string): Html => html`<code>${text}</code>`;
  const rows = [
    ...(payment_method === null
      ? []
      : [[say("payment_method"), say(`method_${payment_method.type}`)] as const]),
    ...(failure_code === null
      ? []
      : [[say("failure"), badge("plain", say(`failure_${failure_code}`))] as const]),
    ...(channel === null
      ? []
      : [
          [
            say("sold_by_agent"),
            html`<a href="${inStore(visit, ["orders"], { channel })}">${code(channel)}</a>`,
          ] as const,
        ]),
    ...(subscription_id === null
      ? []
      : [
          [
            say("subscription"),
            html`<a
href="${inStore(visit, ["subscriptions", subscription_id])}">${say("show")}</a>`,
          ] as const,
        ]),
    ...(checkout_session_id === null
      ? []
      : [[say("checkout_session"), code(checkout_session_id)] as const]),
    ...Object.entries(order.metadata ?? {}).map(
      ([key, value]) => [key, code(String(value))] as const,
    ),
  ];
  return card(
    say("details"),
    html`${facts(rows)}
${codeBox(visit, { id: "order-id", label: say("id"), value: order.id })}`,
  );
}

function noteForm(visit: StoreVisit, { text, fault }: TypedNote): Html | null {
  const { say } = visit.language;
  if (!may(visit.access, "notes.create")) return null;

  const body = html`<div class="field"><label for="note">${say("note")}</label>
<textarea id="note" name="note" rows="2" maxlength="5000"
aria-describedby="${fault === null ? "" : "note-error "}note-hint">
${text}</textarea>
${fault === null ? null : html`<p class="error" id="note-error" role="alert">${fault}</p>`}
<p class="soft" id="note-hint">${say("note_hint")}</p></div>
<div class="actions"><button class="button small">${say("note_add")}</button></div>`;
  return screenForm(visit, { name: "note", body });
}

async function addNote(visit: StoreVisit, fields: URLSearchParams): Promise<FormResult> {
  const { parts, store, livemode, language, path } = visit;
  // Browsers send line feeds as CRLF.
  const text = (fields.get("note") ?? "").replaceAll("\r\n", "\n").trim();
  const { id: order_id } = await findOrder(visit);
  const refuse = async (fault: string): Promise<FormResult> => ({
    kind: "view",
    status: 422,
    view: await orderView(visit, { note: { text, fault } }),
  });
  if (text === "") return refuse(language.say("fault_missing"));

  try {
    await parts.owner.orders.addNote({ store_id: store.id, livemode, order_id, text });
    return { kind: "done", address: path, message: "done_added" };
  } catch (error) {
    if (!isApiError(error) || error.code !== "parameter_invalid") throw error;
    return refuse(explain(language, error));
  }
}

async function resend(visit: StoreVisit, fields: URLSearchParams): Promise<FormResult> {
  const endpoint_id = fields.get("endpoint_id") ?? "";
  const event_id = fields.get("event_id") ?? "";
  const delivery = { ...partitionOf(visit), endpoint_id, event_id };
  await visit.parts.owner.deliveries.resend(delivery);
  return { kind: "done", address: visit.path, message: "done_resent" };
}

export const orderScreen: Screen = {
  path: "orders/{id}",
  section: "orders",
  action: null,
  async show(visit) {
    try {
      return await orderView(visit);
    } catch (error) {
      const month = isApiError(error) ? error.details.archived_in : undefined;
      if (month === undefined) throw error;
      return archivedView(visit, month);
    }
  },
  forms: {
    note: {
      action: "notes.create",
      send: addNote,
      again: (visit, fields) =>
        orderView(visit, { note: { text: fields.get("note") ?? "", fault: null } }),
    },
    resend: {
      action: "deliveries.resend",
      send: withRefusal(
        { codes: ["invalid_transition"], show: (visit) => orderView(visit) },
        resend,
      ),
    },
    buyer_link: buyerLinkForm((visit, link) => orderView(visit, { link })),
    ...entitlementForms((visit) => orderView(visit)),
  },
};
