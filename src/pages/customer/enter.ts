import { html } from "../../contract/html.ts";
import type { Store } from "../../contract/schemas.ts";
import { isCleanText } from "../../domain/text/plain.ts";
import type { WireReply } from "../../http/wire.ts";
import { refuseRevoked } from "../../operations/buyers/own.ts";
import { renderStore } from "../../rules/catalog/render.ts";
import { openPass } from "../../rules/owner/page-pass.ts";
import { renderDocument } from "../parts/document.ts";
import { readFields } from "../parts/form-fields.ts";
import { htmlReply, seeOther } from "../replies.ts";
import { isSameOrigin } from "../same-origin.ts";
import { brandOf } from "../visit.ts";
import type { Asked } from "./context.ts";
import { filesOf, messageReply } from "./frame.ts";
import { isServed, openSession, spendPass, verifyHanded } from "./visitor.ts";

export const linkSessionSeconds = 12 * 3_600;
const tokenSessionSeconds = 3_600;

/**
 * Shows a button; only the button spends the link, because mail programs open every link that
 * they carry.
 */
export async function answerLink(asked: Asked, text: string): Promise<WireReply> {
  const { place, request, language } = asked;
  const { http } = place.ctx;
  const now = http.now();
  const pass = await openPass(http.keyRing, "link", { text, now });
  const store =
    pass && isServed(place.ctx, pass) ? await http.storage.access.findStore(pass.store_id) : null;
  if (!pass || !store) return messageReply(place, language, { name: "spent", back: false });
  if (request.method !== "POST") return askFirst(asked, renderStore(store));

  const visitor = await spendPass(place.ctx, pass);
  if (!visitor) return messageReply(place, language, { name: "spent", back: false });
  const seconds = linkSessionSeconds;
  return seeOther(place.base, await openSession(place, visitor, { now, seconds }));
}

async function askFirst({ place, request, below }: Asked, store: Store): Promise<WireReply> {
  const language = place.chooseLanguage(request.header("accept-language"), store.locale);
  const title = language.say("enter_title", { store: store.name });
  const body = html`<body class="message"><main><h1>${title}</h1>
<p>${language.say("enter_next")}</p>
<form method="post" action="${place.base}${below}">
<button class="button primary">${language.say("enter")}</button></form></main></body>`;
  const files = filesOf(place, await brandOf(place.ctx, store));
  return htmlReply(
    { status: 200, lang: language.lang, view: null },
    renderDocument({ title, language, files, body }),
  );
}

/** Opens a session for the buyer token in a form of the page's own origin, or of the store's. */
export async function enterByToken({ place, request, language }: Asked): Promise<WireReply> {
  const { ctx, options } = place;
  const now = ctx.http.now();
  const fields = await readFields(request);
  const given = fields.get("store_id") ?? "";
  // A database refuses some texts as a value, such as one with NUL.
  const store_id = isCleanText(given) ? given : "";
  const mode = fields.get("mode");
  const refuse = (name: "foreign_form" | "signed_out"): WireReply =>
    messageReply(place, language, { name, back: false });
  if (!isSameOrigin(request, options.baseUrl)) {
    const origins = await ctx.http.storage.access.listAddresses("origin", store_id);
    if (!origins.includes(request.header("origin") ?? "")) return refuse("foreign_form");
  }

  const store = await ctx.http.storage.access.findStore(store_id);
  if (!store || (mode !== "live" && mode !== "test")) return refuse("signed_out");
  const token = fields.get("token") ?? "";
  const visitor = await verifyHanded(ctx, { store_id, livemode: mode === "live", token });
  if (!visitor) return refuse("signed_out");

  await refuseRevoked({ ctx: ctx.http, ...visitor });
  const seconds = tokenSessionSeconds;
  const entering = { ...visitor, order_id: null };
  return seeOther(place.base, await openSession(place, entering, { now, seconds }));
}
