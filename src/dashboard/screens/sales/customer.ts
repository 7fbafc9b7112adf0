import { html } from "../../../contract/html.ts";
import type { OwnerCustomerDetails } from "../../../owner/sales/customers.ts";
import { inStore } from "../../addresses.ts";
import { amountText } from "../../format.ts";
import { actionLink, card, codeBox, facts, table } from "../../frame/elements.ts";
import type { Crumb, Screen, StoreVisit } from "../../screen.ts";
import { confirmScreen } from "../confirm.ts";
import { subscriptionTable } from "../subscriptions/subscription-parts.ts";
import { buyerName, findCustomer } from "./customer-parts.ts";
import { orderTable } from "./order-parts.ts";

const find = (visit: StoreVisit): Promise<OwnerCustomerDetails> =>
  findCustomer(visit, visit.params["id"] ?? "");

const crumbs = (visit: StoreVisit): readonly Crumb[] => [
  { label: visit.language.say("section_customers"), address: inStore(visit, ["customers"]) },
];

export const customerScreen: Screen = {
  path: "customers/{id}",
  section: "customers",
  action: null,

  async show(visit) {
    const { say, sayCount } = visit.language;
    const customer = await find(visit);
    const { id, email, name, totals, orders, subscriptions } = customer;
    const all = inStore(visit, ["orders"], { customer: id });
    const more = html`<a href="${all}">${say("customer_orders")}</a>`;
    const erase = actionLink(visit, "customers.erase", {
      label: "customer_erase",
      address: inStore(visit, ["customers", id, "erase"]),
      kind: "danger",
    });

    const about = facts([
      [say("email"), email ?? "—"],
      [say("name"), name ?? "—"],
      ...totals.map(
        ({ currency, orders: count, spent }) =>
          [
            say("spent_in", { currency }),
            sayCount("spent_by", count, { amount: amountText(visit, spent, currency) }),
          ] as const,
      ),
    ]);
    const rows = orderTable(visit, orders, { hasCustomer: false });
    const ordered = table({ caption: say("section_orders"), ...rows });
    const renewing = table({
      caption: say("section_subscriptions"),
      ...subscriptionTable(visit, subscriptions),
    });
    return {
      title: buyerName(visit, customer),
      crumbs: crumbs(visit),
      body: html`<div class="cards">${card(null, about)}
${card(say("section_orders"), html`${ordered}<p>${more}</p>`)}
${subscriptions.length === 0 ? null : card(say("section_subscriptions"), renewing)}
${card(
  say("more"),
  html`${codeBox(visit, { id: "customer-id", label: say("id"), value: id })}
${erase === null ? null : html`<div class="actions">${erase}</div>`}`,
)}</div>`,
    };
  },
};

export const eraseCustomerScreen: Screen = confirmScreen({
  path: "customers/{id}/erase",
  section: "customers",
  action: "customers.erase",
  async ask(visit) {
    const { say } = visit.language;
    const customer = await find(visit);
    const name = buyerName(visit, customer);
    const back = inStore(visit, ["customers", customer.id]);
    return {
      title: say("customer_erase_title", { name }),
      text: [say("customer_erase_gone"), say("customer_erase_stays"), say("customer_erase_final")],
      button: "customer_erase",
      crumbs: [...crumbs(visit), { label: name, address: back }],
      back,
    };
  },
  async run(visit) {
    const { parts, store } = visit;
    const erased = await parts.owner.eraseCustomer(store.id, visit.params["id"] ?? "");
    const message = erased === "accepted" ? "done_erasing" : "done_erased";
    return { kind: "done", address: inStore(visit, ["customers"]), message };
  },
});
