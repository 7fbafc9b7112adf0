import type { Books, FakeSession } from "./books.ts";
import { answerThreeDSecure, type PageStep, payOnPage, testCards } from "./buyer.ts";

export interface PageReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The account's books in which a session is. */
type FindBooks = (session_id: string) => Books | null;

/**
 * Answers the addresses of the hosted pages: `/pay/{session}` and, for a card whose bank asks,
 * `/3ds/{session}`. Null for any other.
 */
export function answerPage(
  findBooks: FindBooks,
  request: { readonly method: string; readonly path: string; readonly form: URLSearchParams },
): PageReply | null {
  const [, kind, id = ""] = /^\/(pay|3ds)\/([a-z0-9_]+)$/.exec(request.path) ?? [];
  const books = kind === undefined ? null : findBooks(id);
  const session = books?.sessions.get(id);
  if (!books || !session) return null;
  if (session.status !== "open") return page("This session is over", backLink(session));

  const isForm = request.method === "POST";
  if (kind === "3ds")
    return isForm
      ? follow(books, session, answerThreeDSecure(books, session, request.form.has("approve")))
      : page("3-D Secure", threeDSecureForm());
  if (!isForm) return page("Pay", payForm(books, session, ""));

  const card = (request.form.get("card") ?? "").replaceAll(" ", "");
  return follow(books, session, payOnPage(books, session, card));
}

function follow(books: Books, session: FakeSession, step: PageStep): PageReply {
  if (step === "declined")
    return page("Pay", payForm(books, session, "Your card was declined. Try another one."));
  const location =
    step === "three_d_secure" ? `${books.pageOrigin()}/3ds/${session.id}` : session.success_url;
  return { status: 303, headers: { location }, body: "" };
}

function payForm(books: Books, session: FakeSession, message: string): string {
  const lines = (books.lines.get(session.id) ?? []).map(
    ({ name, amount }) => `<tr><td>${escaped(name)}</td><td>${amount}</td></tr>`,
  );
  const isBoleto = session.payment_method_types.includes("boleto");
  const cardField = `<label for="card">Card number</label>
<input id="card" name="card" inputmode="numeric" autocomplete="cc-number" value="${testCards.asks}">`;
  return `<p role="status">${escaped(message)}</p>
<table>${lines.join("")}</table>
<form method="post" action="${books.pageOrigin()}/pay/${session.id}">
${isBoleto ? "" : cardField}
<button>${isBoleto ? "Generate boleto" : payLabel(session)}</button>
</form>
<p><a href="${escaped(session.cancel_url)}">Back</a></p>`;
}

const payLabel = ({ mode, currency, amount_total }: FakeSession): string =>
  mode === "setup" ? "Save card" : `Pay ${currency.toUpperCase()} ${amount_total}`;

const threeDSecureForm = (): string => `<p>Your bank asks: is this payment yours?</p>
<form method="post"><button name="approve" value="1">Complete authentication</button>
<button name="refuse" value="1">Fail authentication</button></form>`;

const backLink = (session: FakeSession): string =>
  `<p><a href="${escaped(session.success_url)}">Back to the shop</a></p>`;

const page = (title: string, body: string): PageReply => ({
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  body: `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · a fake of Stripe</title><link rel="icon" href="data:,">
<style>body{font:16px/1.5 system-ui;max-width:30rem;margin:2rem auto;padding:0 1rem}
input,button{font:inherit;padding:.5rem;display:block;margin:.5rem 0}td{padding-right:1rem}</style>
<h1>${title}</h1><p>A fake of Stripe for tests: no card is charged.</p>${body}</html>`,
});

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
