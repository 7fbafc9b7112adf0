import { html } from "../../contract/html.ts";
import { setCookie } from "../access/cookies.ts";
import { below } from "../addresses.ts";
import { primaryButton, screenForm } from "../frame/elements.ts";
import type { Screen, Visit } from "../screen.ts";

/** Ends the session of a link. A session of the host's own ends at the host. */
export const signOutScreen: Screen<Visit> = {
  path: "sign-out",
  section: null,
  action: null,

  async show(visit) {
    const { say } = visit.language;
    const isOurs = visit.session !== null;
    const ours = visit.person ? "sign_out_person" : "sign_out_text";
    const button = screenForm(visit, { name: "sign-out", body: primaryButton(say("sign_out")) });
    return {
      title: say("sign_out"),
      body: html`<div class="card"><p>${say(isOurs ? ours : "sign_out_at_host")}</p>
${isOurs ? button : null}</div>`,
    };
  },

  forms: {
    "sign-out": {
      action: null,
      async send({ session, parts, settings, signer }) {
        // The entry tells who has ended what came from this session.
        if (session) await (await parts.storeAs(signer, "sessions.end")).endSession(session);
        return {
          kind: "done",
          address: below(settings),
          message: null,
          cookie: setCookie("session", { value: "", maxAgeSeconds: 0 }, settings),
        };
      },
    },
  },
};
