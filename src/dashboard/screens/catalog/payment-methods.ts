import { type Html, html } from "../../../contract/html.ts";
import { paymentMethodTypes } from "../../../contract/schemas.ts";
import {
  type OwnerPaymentMethod,
  PaymentMethodInput,
} from "../../../owner/catalog/payment-methods.ts";
import { inStore } from "../../addresses.ts";
import { amountInput } from "../../forms/amount-input.ts";
import { firstOf } from "../../forms/form-field.ts";
import { actionLink, badge, emptyList, table } from "../../frame/elements.ts";
import { wholeList } from "../../lists/whole-lists.ts";
import type { Screen, StoreVisit } from "../../screen.ts";
import { type RecordKind, recordScreens } from "../record-screens.ts";
import { type SwitchKind, stateSwitch, switchForm } from "../switches.ts";

const methodKind: RecordKind<OwnerPaymentMethod, typeof PaymentMethodInput> = {
  path: "payment-methods",
  section: "payment_methods",
  subject: "payment_method",
  actions: {
    create: "payment_methods.create",
    update: "payment_methods.update",
    delete: "payment_methods.delete",
  },
  texts: { create: "method_create", delete: "method_delete_text" },
  schema: PaymentMethodInput,
  titleOf: ({ name }) => name,

  async groups({ store, language, parts }, row) {
    const { say } = language;
    const currency = row?.currencies[0] ?? store.currency;
    const own = row?.gateway && !parts.gatewayIds.includes(row.gateway) ? [row.gateway] : [];
    const gateways = [
      { value: "", label: say("gateway_none") },
      ...[...parts.gatewayIds, ...own].map((id) => ({ value: id, label: id })),
    ];
    return [
      {
        title: "group_shown",
        fields: [
          { name: "name", label: "name", hint: "method_name_hint", kind: "text" },
          {
            name: "type",
            label: "method_type",
            kind: "choice",
            options: paymentMethodTypes.map((value) => ({ value, label: say(`method_${value}`) })),
          },
          { name: "icon_url", label: "image_url", kind: "text", type: "url" },
          { name: "position", label: "position", hint: "position_hint", kind: "number" },
          { name: "enabled", label: "method_enabled", kind: "check" },
        ],
      },
      {
        title: "group_payment",
        fields: [
          {
            name: "gateway",
            label: "gateway",
            hint: "gateway_hint",
            kind: "choice",
            options: gateways,
          },
          {
            name: "currencies",
            label: "currencies",
            hint: "currencies_hint",
            kind: "own",
            show: (
              _visit,
              values,
            ) => html`<input name="currencies" aria-label="${say("currencies")}"
value="${firstOf(values, "currencies")}">`,
            read: (values) => ({
              value: firstOf(values, "currencies")
                .toUpperCase()
                .split(/[\s,]+/)
                .filter((code) => code !== ""),
            }),
          },
          { name: "min_amount", label: "min_amount", kind: "amount", currency },
          { name: "max_amount", label: "max_amount", kind: "amount", currency },
          {
            name: "settlement",
            label: "settlement",
            kind: "choice",
            options: (["instant", "delayed"] as const).map((value) => ({
              value,
              label: say(`settlement_${value}`),
            })),
          },
          { name: "supports_recurring", label: "supports_recurring", kind: "check" },
        ],
      },
    ];
  },
  fresh: ({ store, parts: { gatewayIds } }) => ({
    enabled: ["yes"],
    currencies: [store.currency],
    // A method without a gateway charges nobody, so the only one there is comes chosen.
    gateway: gatewayIds.length === 1 ? gatewayIds : [],
  }),
  values(row, { language, store }) {
    const currency = row.currencies[0] ?? store.currency;
    const money = (amount: number | null): readonly string[] =>
      amount === null ? [] : [amountInput(amount, currency, language.locale)];
    return {
      name: [row.name],
      type: [row.type],
      icon_url: [row.icon_url ?? ""],
      position: [String(row.position)],
      enabled: row.enabled ? ["yes"] : [],
      gateway: [row.gateway ?? ""],
      currencies: [row.currencies.join(", ")],
      min_amount: money(row.min_amount),
      max_amount: money(row.max_amount),
      settlement: [row.settlement],
      supports_recurring: row.supports_recurring ? ["yes"] : [],
    };
  },

  find: ({ parts, store }, id) => parts.owner.paymentMethods.retrieve(store.id, id),
  create: ({ parts, store }, input) => parts.owner.paymentMethods.create(store.id, input),
  update: ({ parts, store }, expected, input) =>
    parts.owner.paymentMethods.update(store.id, expected.id, input, { expected }),
  remove: ({ parts, store }, id) => parts.owner.paymentMethods.delete(store.id, id),
};

const methodSwitch: SwitchKind<OwnerPaymentMethod> = {
  action: "payment_methods.update",
  label: "method_enabled",
  nameOf: methodKind.titleOf,
  isOn: ({ enabled }) => enabled,
  values: methodKind.values,
  find: methodKind.find,
  turn: ({ parts, store }, expected, enabled) =>
    parts.owner.paymentMethods.update(store.id, expected.id, { enabled }, { expected }),
};

const stateOf = ({ language: { say } }: StoreVisit, { enabled }: OwnerPaymentMethod): Html =>
  enabled ? badge("good", say("state_on_feminine")) : badge("plain", say("state_off_feminine"));

const listScreen: Screen = {
  path: "payment-methods",
  section: "payment_methods",
  action: null,
  forms: { switch: switchForm(methodSwitch, (visit) => listScreen.show(visit)) },

  async show(visit) {
    const { say } = visit.language;
    const all = await visit.parts.owner.paymentMethods.list(visit.store.id);
    const create = actionLink(visit, "payment_methods.create", {
      label: "method_create",
      address: inStore(visit, ["payment-methods", "new"]),
      kind: "primary",
    });

    const { columns, rows: sorted } = wholeList(visit, all, {
      name: { label: say("name"), keyOf: ({ name }) => name },
      gateway: { label: say("gateway"), keyOf: ({ gateway }) => gateway },
      currencies: { label: say("currencies"), keyOf: ({ currencies }) => currencies.join() },
      state: { label: say("state"), keyOf: ({ enabled }) => Number(!enabled) },
    });
    const rows = sorted.map((method) => [
      html`<a href="${inStore(visit, ["payment-methods", method.id])}">${method.name}</a>
<small>${method.type}</small>`,
      method.gateway ?? "—",
      method.currencies.join(", "),
      stateSwitch(visit, methodSwitch, method, stateOf(visit, method)),
    ]);
    return {
      title: say("section_payment_methods"),
      primary: rows.length === 0 ? null : create,
      body:
        rows.length === 0
          ? emptyList(say("methods_empty_title"), say("methods_empty_text"), create)
          : table({ caption: say("section_payment_methods"), columns, rows }),
    };
  },
};

export const paymentMethodScreens: readonly Screen[] = [listScreen, ...recordScreens(methodKind)];
