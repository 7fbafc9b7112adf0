import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express5 from "express";
// @ts-expect-error: The alias of Express 4 has no types. What is used of it is the same as in 5.
import express4 from "express4";
import fastify, { type FastifyInstance } from "fastify";
import { Hono } from "hono";
import type { Storefront } from "vitrine";
import { toExpress } from "vitrine/express";
import { toFastify } from "vitrine/fastify";
import { toNext } from "vitrine/next";
import type { Serve } from "vitrine/node";
import { toNode } from "vitrine/node";
import { serveWeb } from "./web-bridge.ts";

type Express = typeof express5;
type App = ReturnType<Express>;

/** What a host mounts: the API, or another part of a storefront. */
type Mounted = Pick<Storefront, "serve" | "handler">;

/** A host as a developer writes it. Where its framework has routes, it has `GET` and `POST /own`. */
export interface Host {
  readonly name: string;
  /** The host's own parser reads bodies of up to 100 KB first and answers what it cannot read. */
  readonly parses?: boolean;
  readonly framework: "node" | "express" | "fastify" | "web";
  start(storefront: Mounted, basePath: string): Promise<Server>;
}

export const express = { "Express 5": express5, "Express 4": express4 as unknown as Express };

export const listening = async (server: Server): Promise<Server> => {
  if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
};
export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Makes an Express app that mounts the API by `mount` and answers errors as `{host_error}`. */
export function onExpress(make: Express, mount: (app: App) => void): Promise<Server> {
  const app = make();
  mount(app);
  app.get("/own", (_req, res) => void res.json({ host: true }));
  app.post("/own", make.json(), (req, res) => void res.json({ body: req.body }));
  app.use(
    (
      error: { readonly status?: number; readonly message: string },
      _req: unknown,
      res: unknown,
      _next: unknown,
    ) => {
      (res as Parameters<Parameters<App["get"]>[1]>[1])
        .status(error.status ?? 500)
        .json({ host_error: error.message });
    },
  );
  return listening(createServer(app as RequestListener));
}

export async function onFastify(
  mount: (app: FastifyInstance) => void,
  options: object = {},
): Promise<Server> {
  const app = fastify({ forceCloseConnections: true, ...options });
  app.setErrorHandler(
    (error: { readonly statusCode?: number; readonly message: string }, _request, reply) =>
      reply.code(error.statusCode ?? 500).send({ host_error: error.message }),
  );
  mount(app);
  app.get("/own", async () => ({ host: true }));
  app.post("/own", async (request) => ({ body: request.body }));
  await app.listen({ port: 0, host: "127.0.0.1" });
  app.server.once("close", () => void app.close());
  return app.server;
}

const keepRaw = (req: object, _res: unknown, rawBody: Uint8Array): void =>
  void Object.assign(req, { rawBody });

const expressHosts = Object.entries(express).flatMap(([name, make]): Host[] => {
  const host = (
    how: string,
    mount: (app: App, storefront: { readonly serve: Serve }, basePath: string) => void,
    parses = false,
  ): Host => ({
    name: `${name}, ${how}`,
    framework: "express",
    parses,
    start: (storefront, basePath) => onExpress(make, (app) => mount(app, storefront, basePath)),
  });
  return [
    host("bare", (app, storefront) => void app.use(toExpress(storefront))),
    host(
      "behind json()",
      (app, storefront) => void app.use(make.json(), toExpress(storefront)),
      true,
    ),
    host(
      "behind raw()",
      (app, storefront) => void app.use(make.raw({ type: "*/*" }), toExpress(storefront)),
      true,
    ),
    host(
      "behind text()",
      (app, storefront) => void app.use(make.text({ type: "*/*" }), toExpress(storefront)),
      true,
    ),
    host(
      "behind urlencoded()",
      (app, storefront) => void app.use(make.urlencoded({ extended: true }), toExpress(storefront)),
    ),
    host(
      "behind json() that keeps rawBody",
      (app, storefront) => void app.use(make.json({ verify: keepRaw }), toExpress(storefront)),
      true,
    ),
    host(
      "mounted under the prefix",
      (app, storefront, basePath) => void app.use(basePath, toExpress(storefront)),
    ),
    host("mounted by routers in routers", (app, storefront, basePath) => {
      const [, first = "", ...rest] = basePath.split("/");
      const inner = make
        .Router()
        .use(rest.length > 0 ? `/${rest.join("/")}` : "/", toExpress(storefront));
      app.use(`/${first}`, make.Router().use(inner));
    }),
  ];
});

const fastifyHosts: readonly Host[] = [
  {
    name: "Fastify 5, bare",
    framework: "fastify",
    start: (storefront) => onFastify((app) => void app.register(toFastify(storefront))),
  },
  {
    name: "Fastify 5, mounted under the prefix",
    framework: "fastify",
    start: (storefront, prefix) =>
      onFastify((app) => void app.register(toFastify(storefront), { prefix })),
  },
  {
    name: "Fastify 5, with parsers, hooks and an application/json of its own",
    framework: "fastify",
    start: (storefront, prefix) =>
      onFastify(
        (app) => {
          const parse = async (_request: unknown, body: string | Buffer) =>
            JSON.parse(String(body));
          app.removeContentTypeParser("application/json");
          app.addContentTypeParser("application/json", { parseAs: "string" }, parse);
          app.addContentTypeParser("*", { parseAs: "buffer" }, parse);
          app.addHook("onRequest", async (_request, reply) => void reply.header("x-host", "here"));
          app.addHook("onSend", async (_request, reply) => void reply.header("x-host-sent", "too"));
          void app.register(toFastify(storefront), { prefix });
        },
        { bodyLimit: 100, routerOptions: { ignoreTrailingSlash: true, caseSensitive: false } },
      ),
  },
];

const webHosts: readonly Host[] = [
  {
    name: "handler(Request)",
    framework: "web",
    start: (storefront) =>
      listening(serveWeb((request, ip) => storefront.handler(request, ip ? { ip } : {}))),
  },
  {
    name: "Hono",
    framework: "web",
    start(storefront, basePath) {
      const app = new Hono();
      app.get("/own", (c) => c.json({ host: true }));
      app.post("/own", async (c) => c.json({ body: await c.req.json() }));
      app.all(`${basePath}/*`, (c) => storefront.handler(c.req.raw, { ip: "127.0.0.1" }));
      return listening(serveWeb((request) => app.fetch(request)));
    },
  },
  {
    name: "Next.js route handlers",
    framework: "web",
    start(storefront) {
      const handlers = toNext(storefront, { ip: "shared" });
      const pick = (method: string) =>
        Object.entries(handlers).find(([name]) => name === method)?.[1];
      return listening(
        serveWeb(
          (request) => pick(request.method)?.(request) ?? new Response(null, { status: 405 }),
        ),
      );
    },
  },
];

export const hosts: readonly Host[] = [
  {
    name: "node:http",
    framework: "node",
    start: (storefront) => listening(createServer(toNode(storefront))),
  },
  {
    name: "node:http, behind a router that cuts the prefix",
    framework: "node",
    start: (storefront, basePath) =>
      listening(
        createServer((req, res) => {
          Object.assign(req, { originalUrl: req.url, url: req.url?.slice(basePath.length) || "/" });
          toNode(storefront)(req, res);
        }),
      ),
  },
  ...expressHosts,
  ...fastifyHosts,
  ...webHosts,
];
