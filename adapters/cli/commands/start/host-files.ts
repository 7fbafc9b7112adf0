import type { HostName } from "./names.ts";

/** Gives the files that mount the storefront in a host. */
export const hostFiles = (host: HostName): Readonly<Record<string, string>> =>
  host === "next" ? nextFiles : { "server.mjs": servers[host] };

const thanks = "Thank you for your order.";

const servers: Readonly<Record<Exclude<HostName, "next">, string>> = {
  express: `import express from "express";
import { toExpress } from "vitrine/express";
import { storefront, work } from "./shop.mjs";

const app = express();
// Behind a proxy: app.set("trust proxy", "its address");
app.use(toExpress(storefront));
app.use(toExpress(storefront.notifications));
app.use(toExpress(storefront.checkoutPage));
app.get("/thanks", (_request, response) => response.send("${thanks}"));

const working = work(new AbortController().signal);
app.listen(process.env.PORT ?? 3000, (error) => {
  if (error) throw error; // Such as EADDRINUSE: another program has the port.
  console.log(\`Open \${process.env.PUBLIC_URL}/v1/docs\`);
});
await working;
`,
  fastify: `import fastify from "fastify";
import { toFastify } from "vitrine/fastify";
import { storefront, work } from "./shop.mjs";

const app = fastify(); // Behind a proxy: fastify({ trustProxy: "its address" })
app.register(toFastify(storefront), { prefix: "/v1" });
app.register(toFastify(storefront.notifications), { prefix: "/notifications" });
app.register(toFastify(storefront.checkoutPage), { prefix: "/pay" });
app.get("/thanks", () => "${thanks}");

const working = work(new AbortController().signal);
await app.listen({ port: Number(process.env.PORT ?? 3000) });
console.log(\`Open \${process.env.PUBLIC_URL}/v1/docs\`);
await working;
`,
  hono: `import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { storefront, work } from "./shop.mjs";

const app = new Hono();
// The socket's address. Behind a proxy, take it from a header that a client cannot set.
const ip = (c) => c.env?.incoming?.socket.remoteAddress;
app.all("/v1/*", (c) => storefront.handler(c.req.raw, { ip: ip(c) }));
app.all("/notifications/*", (c) => storefront.notifications.handler(c.req.raw));
app.all("/pay/*", (c) => storefront.checkoutPage.handler(c.req.raw, { ip: ip(c) }));
app.get("/thanks", (c) => c.text("${thanks}"));

const working = work(new AbortController().signal);
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
console.log(\`Open \${process.env.PUBLIC_URL}/v1/docs\`);
await working;
`,
  node: `import { createServer } from "node:http";
import { toNode } from "vitrine/node";
import { storefront, work } from "./shop.mjs";

const api = toNode(storefront);
const notifications = toNode(storefront.notifications);
const pages = toNode(storefront.checkoutPage);
const server = createServer((request, response) => {
  const rest = () => {
    response.writeHead(request.url.startsWith("/thanks") ? 200 : 404);
    response.end(request.url.startsWith("/thanks") ? "${thanks}" : "Not found.");
  };
  const next = (handle, after) => () => handle(request, response, after);
  next(api, next(notifications, next(pages, rest)))();
});

const working = work(new AbortController().signal);
server.listen(process.env.PORT ?? 3000, () =>
  console.log(\`Open \${process.env.PUBLIC_URL}/v1/docs\`),
);
await working;
`,
};

const route = (depth: string, mounted: string): string => `import { toNext } from "vitrine/next";

// \`next build\` imports this file, so the shop is opened by the first request.
const open = async () => (await import("${depth}shop.mjs")).storefront${mounted};
// Behind a proxy, name the header in which it writes the client's address.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNext(open, { ip: "shared" });
`;

const nextFiles: Readonly<Record<string, string>> = {
  "app/layout.jsx": `export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
`,
  "app/page.jsx": `export default function Page() {
  return <a href="/v1/docs">The API's documentation</a>;
}
`,
  "app/thanks/page.jsx": `export default function Page() {
  return <p>${thanks}</p>;
}
`,
  "app/v1/[...path]/route.js": route("../../../", ""),
  "app/pay/[token]/route.js": route("../../../", ".checkoutPage"),
  "app/notifications/[...path]/route.js": route("../../../", ".notifications"),
  "instrumentation.js": `// Next.js calls this once when the server starts.
export async function register() {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { work } = await import("./shop.mjs");
  work(new AbortController().signal).catch(console.error);
}
`,
  "next.config.mjs": `export default {
  // These packages load files by themselves, and stay outside of the bundle.
  serverExternalPackages: ["vitrine", "better-sqlite3", "pg"],
};
`,
};
