import { type Html, html } from "../../../contract/html.ts";
import { couponSorts } from "../../../owner/catalog/coupon-list.ts";
import { CouponInput, type OwnerCoupon } from "../../../owner/catalog/coupons.ts";
import { inStore } from "../../addresses.ts";
import { amountText, countText, localTime, percentText, timeTag } from "../../format.ts";
import { amountInput } from "../../forms/amount-input.ts";
import { firstOf, readNumber, type Values } from "../../forms/form-field.ts";
import { actionLink, badge } from "../../frame/elements.ts";
import { type Filters, filtersOf } from "../../lists/filters.ts";
import { sortFilter, sortHead } from "../../lists/sorts.ts";
import { type Screen, type StoreVisit, timeOf } from "../../screen.ts";
import { csvDownload, csvFormat, csvLink } from "../exports.ts";
import { listBody, pageQuery } from "../lists.ts";
import { type RecordKind, recordScreens } from "../record-screens.ts";
import { type SwitchKind, stateSwitch, switchForm } from "../switches.ts";
import { prepareProducts, productsField } from "./coupon-products.ts";
import { couponUses } from "./coupon-uses.ts";

/** Writes for people what the coupon takes off. */
const discountText = (visit: StoreVisit, coupon: OwnerCoupon): string => {
  const { discount_type, discount_amount, currency } = coupon;
  if (discount_type === "fixed")
    return amountText(visit, discount_amount, currency ?? visit.store.currency);
  return percentText(visit, discount_amount);
};

const stateOf = ({ language }: StoreVisit, coupon: OwnerCoupon, now: number): Html => {
  const { say } = language;
  if (!coupon.enabled) return badge("plain", say("state_off"));
  if (coupon.starts_at !== null && Date.parse(coupon.starts_at) > now)
    return badge("plain", say("state_later"));
  if (coupon.ends_at !== null && Date.parse(coupon.ends_at) <= now)
    return badge("warn", say("state_over"));
  return badge("good", say("state_on"));
};

/** Tells how often the coupon was used in this mode, and how often it may be used. */
const usedText = (visit: StoreVisit, { used, max_uses }: OwnerCoupon): string => {
  const { language, livemode } = visit;
  const own = countText(visit, livemode ? used.live : used.test);
  return max_uses === null
    ? own
    : language.say("coupon_used_of", { used: own, most: countText(visit, max_uses) });
};

const couponKind: RecordKind<OwnerCoupon, typeof CouponInput> = {
  path: "coupons",
  section: "coupons",
  subject: "coupon",
  actions: { create: "coupons.create", update: "coupons.update", delete: "coupons.delete" },
  texts: { create: "coupon_create", delete: "coupon_delete_text" },
  schema: CouponInput,
  titleOf: ({ code }) => code,

  async groups(visit, row) {
    const { store, language } = visit;
    const { say } = language;
    const currency = row?.currency ?? row?.min_subtotal_currency ?? store.currency;
    const types = (["percentage", "fixed"] as const).map((value) => ({
      value,
      label: say(`discount_${value}`),
    }));
    return [
      {
        title: "group_discount",
        fields: [
          { name: "code", label: "coupon_code", hint: "coupon_code_hint", kind: "text" },
          { name: "discount_type", label: "discount_type", kind: "choice", options: types },
          {
            name: "discount_amount",
            label: "discount_amount",
            hint: "discount_amount_hint",
            kind: "own",
            show: (_visit, values) => html`<input name="discount_amount" inputmode="decimal"
aria-label="${say("discount_amount")}" value="${firstOf(values, "discount_amount")}">`,
            read(values, locale) {
              const text = firstOf(values, "discount_amount").trim();
              if (text === "") return { value: null };
              const isFixed = firstOf(values, "discount_type") === "fixed";
              return readNumber(text, locale, isFixed ? currency : null);
            },
          },
          { name: "enabled", label: "coupon_enabled", kind: "check" },
        ],
      },
      { title: "product_ids_title", fields: [await productsField(visit, row)] },
      {
        title: "group_limits",
        side: true,
        fields: [
          { name: "min_subtotal", label: "min_subtotal", kind: "amount", currency },
          { name: "starts_at", label: "starts_at", hint: "zone_hint", kind: "moment" },
          { name: "ends_at", label: "ends_at", hint: "zone_hint", kind: "moment" },
          { name: "max_uses", label: "max_uses", kind: "number" },
          { name: "max_uses_per_customer", label: "max_uses_per_customer", kind: "number" },
        ],
      },
    ];
  },
  fresh: () => ({ enabled: ["yes"] }),
  values: (row, visit) => couponValues(row, visit),

  find: ({ parts, store }, id) => parts.owner.coupons.retrieve(store.id, id),
  create: ({ parts, store }, input) => parts.owner.coupons.create(store.id, ofStore(input, store)),
  update: ({ parts, store }, expected, input) =>
    parts.owner.coupons.update(store.id, expected.id, ofStore(input, store), { expected }),
  remove: ({ parts, store }, id) => parts.owner.coupons.delete(store.id, id),
  prepare: prepareProducts,
  below: couponUses,
};

/** A fixed discount is in the store's currency, unless the coupon has one. */
const ofStore = <Input extends { readonly discount_type: string }>(
  input: Input,
  store: StoreVisit["store"],
) => (input.discount_type === "fixed" ? { currency: store.currency, ...input } : input);

function couponValues(row: OwnerCoupon, { language, store }: StoreVisit): Values {
  const { locale } = language;
  const currency = row.currency ?? row.min_subtotal_currency ?? store.currency;
  const isFixed = row.discount_type === "fixed";
  const time = (iso: string | null): readonly string[] =>
    iso === null ? [] : [localTime(iso, store.timezone)];

  return {
    code: [row.code],
    discount_type: [row.discount_type],
    discount_amount: [amountInput(row.discount_amount, isFixed ? currency : null, locale)],
    enabled: row.enabled ? ["yes"] : [],
    min_subtotal:
      row.min_subtotal === null ? [] : [amountInput(row.min_subtotal, currency, locale)],
    starts_at: time(row.starts_at),
    ends_at: time(row.ends_at),
    max_uses: [String(row.max_uses ?? "")],
    max_uses_per_customer: [String(row.max_uses_per_customer ?? "")],
    product_ids: row.product_ids ?? [],
  };
}

const sortOf = (filters: Filters) =>
  couponSorts.find((name) => name === filters[sortFilter]) ?? null;

export const couponsDownload = csvDownload("coupons", async (visit) => {
  const sort = sortOf(filtersOf(visit, [sortFilter]));
  return visit.parts.owner.export("coupons", { store_id: visit.store.id, sort, ...csvFormat });
});

const couponSwitch: SwitchKind<OwnerCoupon> = {
  action: "coupons.update",
  label: "coupon_enabled",
  nameOf: ({ code }) => code,
  isOn: ({ enabled }) => enabled,
  values: couponValues,
  find: couponKind.find,
  turn: ({ parts, store }, expected, enabled) =>
    parts.owner.coupons.update(store.id, expected.id, { enabled }, { expected }),
};

const listScreen: Screen = {
  path: "coupons",
  section: "coupons",
  action: null,
  forms: { switch: switchForm(couponSwitch, (visit) => listScreen.show(visit)) },

  async show(visit) {
    const { say } = visit.language;
    const filters = filtersOf(visit, [sortFilter]);
    const query = { ...pageQuery(visit), sort: sortOf(filters) };
    const page = await visit.parts.owner.coupons.list(visit.store.id, query);
    const now = await timeOf(visit);
    const create = actionLink(visit, "coupons.create", {
      label: "coupon_create",
      address: inStore(visit, ["coupons", "new"]),
      kind: "primary",
    });

    const rows = page.data.map((coupon) => [
      html`<a href="${inStore(visit, ["coupons", coupon.id])}"><code>${coupon.code}</code></a>`,
      discountText(visit, coupon),
      usedText(visit, coupon),
      timeTag(visit, coupon.created_at),
      coupon.ends_at === null ? "—" : timeTag(visit, coupon.ends_at),
      stateSwitch(visit, couponSwitch, coupon, stateOf(visit, coupon, now)),
    ]);
    const columns = [
      sortHead(visit, filters, {
        label: say("coupon_code"),
        orders: ["code", "-code"],
        ascending: "code",
      }),
      say("discount_amount"),
      say("coupon_used"),
      sortHead(visit, filters, {
        label: say("created_at"),
        orders: ["oldest", "newest"],
        ascending: "oldest",
        usual: "oldest",
      }),
      say("ends_at"),
      say("state"),
    ];
    const caption = say("section_coupons");
    const body = listBody(visit, {
      caption,
      columns,
      rows,
      page,
      filters,
      tools: null,
      download: rows.length === 0 ? null : csvLink(visit, "coupons", filters),
      empty: { title: "coupons_empty_title", text: "coupons_empty_text", action: create },
    });
    return { title: caption, primary: rows.length === 0 ? null : create, body };
  },
};

export const couponScreens: readonly Screen[] = [listScreen, ...recordScreens(couponKind)];
