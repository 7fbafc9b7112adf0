import type { CheckoutSessionStatus, Client, LineItem } from "vitrine/client";
import { emptyCart } from "./cart.ts";
import { showSums } from "./coupon.ts";
import { el, make, picture } from "./dom.ts";
import { money } from "./money.ts";
import { showProblem } from "./problem.ts";
import { say } from "./say.ts";

const askEveryMs = 2_000;
const maxAsks = 150;

/** Shows the order of the session in the address, until its payment is decided. */
export async function startOrderPage(api: Client, asks = 1): Promise<void> {
  const id = new URLSearchParams(location.search).get("session");
  if (id === null) return draw(say("thank_you"), [make("p", {}, say("was_sent"))]);

  try {
    const { data: session } = await api.getCheckoutSession({ id });
    if (session.status === "complete") emptyCart();
    show(session);
    const isOpen = session.order === null || session.order.status === "pending";
    if (isOpen && asks < maxAsks) setTimeout(() => startOrderPage(api, asks + 1), askEveryMs);
  } catch (error) {
    showProblem("problem", error, () => startOrderPage(api, asks));
  }
}

const titles = {
  paid: "is_paid",
  pending: "is_pending",
  failed: "is_failed",
  refunded: "is_refunded",
} as const;

type Status = keyof typeof titles;

const isStatus = (status: string): status is Status => Object.hasOwn(titles, status);

function show(session: CheckoutSessionStatus): void {
  const { order, currency, amount_discount } = session;
  const status = order?.status ?? "pending";
  const number =
    order === null ? [] : [make("strong", {}, say("order", { number: String(order.number) }))];
  const badge = make(
    "span",
    { className: `badge ${status}` },
    isStatus(status) ? say(status) : status,
  );
  const sums = make("dl", { className: "sums" });
  const discount = [
    [say("subtotal"), money(session.amount_subtotal, currency)],
    [say("discount"), `−${money(amount_discount, currency)}`],
  ] as const;
  showSums(
    [
      ...(amount_discount > 0 ? discount : []),
      [say("total"), money(session.amount_total, currency)] as const,
    ],
    sums,
  );
  const released = make("a", { href: "/released", textContent: say("see_released") });
  const back = make("a", { href: "/", textContent: say("back") });
  draw(say(isStatus(status) ? titles[status] : "your_order"), [
    make("p", { className: "row" }, ...number, badge),
    make("ul", { className: "lines" }, ...session.line_items.map(line)),
    sums,
    make("p", { className: "note" }, `${say("releases_nothing")} `, released, "."),
    make("p", {}, back),
  ]);
}

const line = ({
  image_url,
  name,
  quantity,
  amount_subtotal,
  currency,
}: Omit<LineItem, "variables">): HTMLElement =>
  make(
    "li",
    {},
    picture(image_url, 64),
    make("span", { className: "what" }, `${quantity} × ${name}`),
    make("span", { className: "price" }, money(amount_subtotal, currency)),
  );

function draw(title: string, parts: readonly HTMLElement[]): void {
  const card = make("div", { className: "card" }, make("h1", {}, title), ...parts);
  // Screen readers announce the order again, so it is replaced only when it has changed.
  if (el("order").firstElementChild?.outerHTML !== card.outerHTML)
    el("order").replaceChildren(card);
}
