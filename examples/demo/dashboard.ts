import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Storefront } from "vitrine";
import { createDashboard } from "vitrine/dashboard";
import type { WireReply, WireRequest } from "vitrine/node";
import { html, page, personalHeaders } from "./html.ts";
import { brandColor } from "./style.ts";
import { createUploads } from "./uploads.ts";

const loginPath = "/dashboard-login";
const cookieName = "vitrine-demo-owner";

/**
 * Makes the dashboard with the demo's own login, which is a button that anyone who
 * reaches this machine may press. Your own site asks for a password in its place.
 */
export function createDemoDashboard(storefront: Storefront, publicUrl: string) {
  // This is the demo's session. It ends with the process.
  const session = randomBytes(32).toString("base64url");

  const pictures = createUploads(publicUrl);
  const dashboard = createDashboard(storefront, {
    path: "/dashboard",
    publicUrl,
    brandColor,
    links: true,
    uploads: pictures.uploads,
    authorize: ({ request }) =>
      isSignedIn(request, session)
        ? { actor: "owner of the demo", stores: "all", access: "all" }
        : null,
  });

  return async (request: WireRequest): Promise<WireReply | null> => {
    const [path = ""] = request.target.split("?", 1);
    if (path === loginPath) return answerLogin(request, session);
    const picture = pictures.answer(path);
    if (picture) return picture;

    const reply = await dashboard.serve(request);
    return reply?.status === 401 ? redirect(loginPath) : reply;
  };
}

function isSignedIn(request: WireRequest, session: string): boolean {
  const [, given = ""] =
    new RegExp(`(?:^|; )${cookieName}=([\\w-]{43})`).exec(request.header("cookie") ?? "") ?? [];
  return (
    given.length === session.length && timingSafeEqual(Buffer.from(given), Buffer.from(session))
  );
}

function answerLogin(request: WireRequest, session: string): WireReply {
  const isOwnForm = request.header("sec-fetch-site") === "same-origin";
  if (request.method === "POST" && isOwnForm)
    return redirect("/dashboard", `${cookieName}=${session}; Path=/; HttpOnly; SameSite=Lax`);

  const body = html`<h1>The owner's dashboard</h1>
<form class="card" method="post" action="${loginPath}">
<p>Your own site knows who its owners are. This demo asks nothing.</p>
<button>Sign in as the owner of the demo</button></form>`;
  return {
    status: 200,
    headers: personalHeaders,
    body: page("The owner's dashboard", body),
  };
}

const redirect = (location: string, cookie?: string): WireReply => ({
  status: 303,
  headers: { location, "cache-control": "no-store", ...(cookie ? { "set-cookie": cookie } : {}) },
  body: "",
});
