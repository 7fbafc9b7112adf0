import type { ApiError } from "../../../contract/errors.ts";
import { type Html, html } from "../../../contract/html.ts";
import type { Subscription } from "../../../contract/schemas.ts";
import { conflict, withRefusal } from "../../forms/conflict.ts";
import { buttonForm, card, codeBox } from "../../frame/elements.ts";
import type { Language, TextName } from "../../language.ts";
import { partitionOf, type ScreenForm, type StoreVisit, type View } from "../../screen.ts";

const action = "subscriptions.change";

const changes = {
  pause: "done_subscription_paused",
  resume: "done_subscription_resumed",
  keep: "done_subscription_kept",
} as const satisfies Readonly<Record<string, TextName>>;

/** Gives the buttons that fit the state of a subscription, each a form of its own. */
export function changeButtons(visit: StoreVisit, subscription: Subscription): Html | null {
  const { status, paused_at, cancel_at_period_end } = subscription;
  if (status === "canceled") return null;

  const names = [
    ...(status === "past_due" && !cancel_at_period_end ? (["link"] as const) : []),
    ...(cancel_at_period_end ? (["keep"] as const) : []),
    paused_at === null ? ("pause" as const) : ("resume" as const),
  ];
  return html`${names.map(
    (name) => html`${buttonForm(visit, { name, action, label: `subscription_${name}`, kind: "" })}`,
  )}`;
}

type Show = (visit: StoreVisit, link?: Html) => Promise<View>;

/** Tells that the state has changed since, or that the host makes no links. */
const refusal = (show: Show) =>
  ({
    codes: ["invalid_transition", "invalid_option"],
    show: (visit: StoreVisit) => show(visit),
    tell: ({ say }: Language, { code }: ApiError) =>
      say(code === "invalid_option" ? "subscription_link_none" : "subscription_changed"),
  }) as const;

const changeForm = (name: keyof typeof changes, show: Show): ScreenForm => ({
  action,
  send: withRefusal(refusal(show), async (visit) => {
    await visit.parts.subscriptions[name](visit.params["id"] ?? "", partitionOf(visit));
    return { kind: "done", address: visit.path, message: changes[name] };
  }),
});

/** Makes a page at which the buyer pays what is due. The buyer leaves it for a return URL. */
const linkForm = (show: Show): ScreenForm => ({
  action,
  send: withRefusal(refusal(show), async (visit) => {
    const { parts, store, language, params } = visit;
    const { say } = language;
    const [success_url] = await parts.owner.returnUrls.list(store.id);
    if (success_url === undefined)
      return conflict(await show(visit), say("subscription_link_return"));

    const input = { ...partitionOf(visit), success_url };
    const { url } = await parts.subscriptions.payLink(params["id"] ?? "", input);
    const box = codeBox(visit, { id: "pay-link", label: say("subscription_link"), value: url });
    const shown = card(
      say("subscription_link_title"),
      html`<p>${say("subscription_link_text")}</p>${box}`,
    );
    return { kind: "view", status: 200, view: await show(visit, shown) };
  }),
});

/** The forms of the buttons. `show` renders the page again, with a link where one was made. */
export const changeForms = (show: Show) => ({
  pause: changeForm("pause", show),
  resume: changeForm("resume", show),
  keep: changeForm("keep", show),
  link: linkForm(show),
});
