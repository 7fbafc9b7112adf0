import { z } from "zod";
import { fail } from "../../../../contract/errors.ts";
import { type Html, html } from "../../../../contract/html.ts";
import { base64url } from "../../../../domain/keys/hash.ts";
import { check } from "../../../../input/check.ts";
import type { OwnerOrder } from "../../../../owner/sales/orders.ts";
import { RefundInput } from "../../../../payments/inputs.ts";
import { refundable } from "../../../../rules/orders/refundable.ts";
import { amountText } from "../../../format.ts";
import { amountInput } from "../../../forms/amount-input.ts";
import { conflict } from "../../../forms/conflict.ts";
import {
  type FormSpec,
  type FormState,
  freshForm,
  readForm,
  typedForm,
} from "../../../forms/form.ts";
import { firstOf, type Values } from "../../../forms/form-field.ts";
import { renderForm } from "../../../forms/render-form.ts";
import { card, facts, hidden, notice, screenForm } from "../../../frame/elements.ts";
import { ask, askedOf } from "../../../question.ts";
import type { FormResult, Screen, StoreVisit, View } from "../../../screen.ts";
import { buyerName } from "../customer-parts.ts";
import { findOrder, orderAddress, orderCrumbs } from "../order-parts.ts";
import { refundItems } from "./refund-items.ts";

const RefundForm = RefundInput.pick({ reason: true }).extend({
  amount: z.int().min(1),
  is_moved: z.boolean().optional(),
  /** The provider's id of a refund that was made elsewhere. */
  reference: RefundInput.shape.reference.optional(),
});
type RefundForm = z.input<typeof RefundForm>;

const typedFields = ["amount", "reason", "is_moved", "reference"] as const;

const refundForm = (_visit: StoreVisit, order: OwnerOrder): FormSpec<typeof RefundForm> => ({
  name: "review",
  action: "orders.refund",
  schema: RefundForm,
  submit: "refund_review",
  groups: [
    {
      title: null,
      fields: [
        {
          name: "amount",
          label: "amount",
          hint: "refund_amount_hint",
          kind: "amount",
          currency: order.currency,
        },
        { name: "reason", label: "refund_reason", hint: "refund_reason_hint", kind: "text" },
      ],
    },
    {
      title: "refund_elsewhere",
      fields: [
        { name: "is_moved", label: "refund_moved", hint: "refund_moved_hint", kind: "check" },
        {
          name: "reference",
          label: "refund_reference",
          hint: "refund_reference_hint",
          kind: "text",
        },
      ],
    },
  ],
});

function refundView(visit: StoreVisit, order: OwnerOrder, state: FormState): View {
  const { say } = visit.language;
  const left = refundable(order);
  const about = facts([
    [say("customer"), buyerName(visit, order.customer)],
    [say("total"), amountText(visit, order.amount_total, order.currency)],
    [say("refundable"), amountText(visit, left, order.currency)],
  ]);
  return {
    title: say("refund_title", { number: String(order.number) }),
    crumbs: orderCrumbs(visit, order),
    body:
      left === 0
        ? notice("plain", say("refund_none"))
        : html`${card(null, about)}${refundItems(visit, order)}
${renderForm(visit, refundForm(visit, order), state)}`,
  };
}

interface Asked {
  readonly values: Values;
  readonly input: RefundForm;
}

/** Tells what will happen, and puts what was typed into hidden fields. */
async function confirmView(
  visit: StoreVisit,
  order: OwnerOrder,
  { values, input }: Asked,
): Promise<View> {
  const { say } = visit.language;
  const amount = amountText(visit, input.amount, order.currency);
  const isByHost = input.is_moved === true || (await tookHostPayment(visit, order));
  const kept = amountText(visit, refundable(order) - input.amount, order.currency);

  const texts: readonly string[] = [
    isByHost
      ? say("refund_recorded", { amount })
      : say("refund_moves", { amount, name: buyerName(visit, order.customer) }),
    say("refund_kept", { amount: kept }),
    ...(order.subscription_id === null ? [] : [say("refund_subscription")]),
  ];
  const fields = [...typedFields, "own"].map((name) => hidden(name, firstOf(values, name)));
  const body: Html = html`${fields}
<div class="actions"><button class="button danger">${say("refund_amount", { amount })}</button>
<a class="button" href="${orderAddress(visit, order.id)}">${say("cancel")}</a></div>`;
  return {
    title: say("refund_confirm", { amount, number: String(order.number) }),
    crumbs: orderCrumbs(visit, order),
    body: html`<div class="card">${texts.map((text) => html`<p>${text}</p>`)}
${screenForm(visit, { name: "confirm", body })}</div>`,
  };
}

/** Tells whether the host's own code took the payment: then no gateway can move its money. */
async function tookHostPayment(visit: StoreVisit, order: OwnerOrder): Promise<boolean> {
  const { parts, store, livemode } = visit;
  const partition = { store_id: store.id, livemode };
  const payments = await parts.orders.listPayments(order.id, partition);
  return payments.some(({ status, gateway }) => status === "booked" && gateway === "host");
}

/** Checks what was typed before the person confirms it. The refund checks it again. */
function checked(order: OwnerOrder, typed: RefundForm): RefundForm {
  const input = check(RefundForm, typed);
  if (input.amount > refundable(order)) fail("refund_exceeds_balance", { param: "amount" });
  return input;
}

async function refund(
  visit: StoreVisit,
  order: OwnerOrder,
  typed: RefundForm,
  values: Values,
): Promise<FormResult> {
  const { parts, store, livemode, language } = visit;
  const { amount, reason, is_moved, reference } = checked(order, typed);
  const made = await parts.orders.refund(order.id, {
    store_id: store.id,
    livemode,
    reference: reference ?? ownReference(visit, values),
    amount,
    reason: reason ?? null,
    moved: is_moved ? "by_host" : null,
  });
  if (made.status === "failed") {
    const failed = language.say("refund_refused", { reason: made.failure_reason ?? "—" });
    const now = await findOrder(visit);
    return conflict(await confirmView(visit, now, { values, input: typed }), failed);
  }
  const message = made.status === "pending" ? "done_refund_pending" : "done_refunded";
  return { kind: "done", address: orderAddress(visit, order.id), message };
}

/**
 * Gives the reference that was made when the question was asked. All tries of one refund keep it:
 * a second confirm is a repeat, and a try after a failed one asks first what became of that one.
 */
function ownReference({ parts }: StoreVisit, values: Values): string {
  const asked = firstOf(values, "own");
  return ownForm.test(asked) ? asked : `dashboard-${base64url(parts.randomBytes(16))}`;
}

const ownForm = /^dashboard-[A-Za-z0-9_-]{22}$/;

/** Reads the question that the address carries, as long as the order can still be refunded so. */
async function questionOf(visit: StoreVisit, order: OwnerOrder): Promise<Asked | null> {
  const values = await askedOf(visit);
  if (!values) return null;

  const { input, faults } = readForm(visit, refundForm(visit, order), values);
  const read = RefundForm.safeParse(input);
  if (faults.size > 0 || !read.success || read.data.amount > refundable(order)) return null;
  return { values, input: read.data };
}

/** Tells whether the refund of a question was made: Back leads to the question once more. */
async function isMade(visit: StoreVisit, { id }: OwnerOrder, { values }: Asked): Promise<boolean> {
  const { parts, store, livemode } = visit;
  const of = { store_id: store.id, livemode, order_id: id, limit: 100 };
  const { data } = await parts.owner.refunds.list(of);
  const own = firstOf(values, "own");
  return data.some(({ reference, status }) => reference === own && status !== "failed");
}

/** Tells that the refund was made, and leads back to the order. */
function madeView(visit: StoreVisit, order: OwnerOrder): View {
  const { say } = visit.language;
  return {
    title: say("refund_title", { number: String(order.number) }),
    crumbs: orderCrumbs(visit, order),
    body: html`${notice("plain", say("refund_made"))}<div class="actions">
<a class="button" href="${orderAddress(visit, order.id)}">${say("back")}</a></div>`,
  };
}

/**
 * Fills the form at first with what the address says, as that of an assistant does, else with all
 * that is left to refund. The address moves nothing: the form is still sent, and confirmed.
 */
function stateOf({ language, query }: StoreVisit, order: OwnerOrder): FormState {
  const left = refundable(order);
  const asked = Number(query.get("amount") ?? left);
  const amount = Number.isInteger(asked) && asked >= 1 && asked <= left ? asked : left;
  const reason = RefundInput.shape.reason.safeParse(query.get("reason"));

  return freshForm({
    amount: [amountInput(amount, order.currency, language.locale)],
    reason: [reason.data ?? ""],
  });
}

export const refundScreen: Screen = {
  path: "orders/{id}/refund",
  section: "orders",
  action: "orders.refund",
  async show(visit) {
    const order = await findOrder(visit);
    const asked = await questionOf(visit, order);
    if (asked && (await isMade(visit, order, asked))) return madeView(visit, order);
    if (asked) return confirmView(visit, order, asked);
    return refundView(visit, order, stateOf(visit, order));
  },
  forms: {
    review: typedForm({
      action: "orders.refund",
      isQuestion: true,
      find: findOrder,
      spec: refundForm,
      show: refundView,
      async work(visit, order, typed, values) {
        checked(order, typed);
        const kept = typedFields.map((name) => [name, [firstOf(values, name)]] as const);
        return ask(visit, { ...Object.fromEntries(kept), own: [ownReference(visit, {})] });
      },
    }),
    confirm: typedForm({
      action: "orders.refund",
      find: findOrder,
      spec: refundForm,
      show: refundView,
      work: refund,
    }),
  },
};
