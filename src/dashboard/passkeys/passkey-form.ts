import { type Html, html } from "../../contract/html.ts";
import { hidden } from "../frame/elements.ts";
import type { Language, TextName } from "../language.ts";
import type { DashboardSettings } from "../options.ts";
import { challengeMs } from "./challenge.ts";
import { algorithms } from "./public-key.ts";

/** What the browser is asked for. */
interface Request {
  readonly label: TextName;
  /** What the script hands to the browser, which `make` tells what to do. */
  readonly options: object;
}

/** Renders the button that asks the browser, and the field that carries its answer. */
export const passkeyButton = ({ say }: Language, { label, options }: Request): Html =>
  html`${hidden("credential", "")}
<noscript><p class="notice warn">${say("passkey_script")}</p></noscript>
<p role="status" data-passkey-fault="${say("passkey_fault")}"></p>
<div class="actions"><button class="button primary" type="button" hidden
data-passkey="${JSON.stringify(options)}">${say(label)}</button></div>`;

/** Gives the options to sign in: by any passkey of this domain that the person chooses. */
export const signInOptions = (challenge: string, { rpId }: DashboardSettings): object => ({
  challenge,
  rpId,
  allowCredentials: [],
  userVerification: "required",
  timeout: challengeMs,
});

interface Maker {
  /** What the passkey keeps of the person, in base64url. */
  readonly handle: string;
  readonly name: string;
  /** The list of passkeys in a browser tells people of two stores apart by it. */
  readonly store: string;
  /** The ids of the passkeys that the person has. */
  readonly known: readonly string[];
}

/** Gives the options to make a passkey, which its device keeps and finds by itself. */
export const makeOptions = (
  challenge: string,
  { rpId }: DashboardSettings,
  { handle, name, store, known }: Maker,
): object => ({
  make: true,
  challenge,
  rp: { id: rpId, name: store },
  user: { id: handle, name: `${name} · ${store}`, displayName: name },
  pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
  authenticatorSelection: {
    residentKey: "required",
    requireResidentKey: true,
    userVerification: "required",
  },
  attestation: "none",
  excludeCredentials: known.map((id) => ({ type: "public-key", id })),
  timeout: challengeMs,
});
