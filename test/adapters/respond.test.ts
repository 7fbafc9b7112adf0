import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { respond } from "../../adapters/http/respond.ts";
import type { WireReply } from "../../src/http/wire.ts";

let close = (): void => {};
afterEach(() => close());

/** Serves one answer over a real connection. */
async function answer(handle: (res: ServerResponse) => void): Promise<Response> {
  const server = createServer((_req, res) => handle(res));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  close = () => {
    server.close();
    server.closeAllConnections();
  };
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}/`);
}

const replyOf = (body: string | null): WireReply => ({
  status: 200,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body,
});

describe("the body of a reply", () => {
  test.each(["plain", "João", "çãõé", "漢字 😀", "\u0080\u00ff", ""])(
    "%j comes with its length in bytes",
    async (body) => {
      const response = await answer((res) => void respond(res, Promise.resolve(replyOf(body))));
      expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(body)));
      expect(await response.text()).toBe(body);
    },
  );
});

describe("without a reply", () => {
  test("the answer is 404, or the next handler's", async () => {
    expect((await answer((res) => void respond(res, Promise.resolve(null)))).status).toBe(404);

    const given: unknown[][] = [];
    const passed = await answer((res) => {
      const next = (...error: unknown[]): void => {
        given.push(error);
        res.writeHead(204).end();
      };
      void respond(res, Promise.resolve(null), next);
    });
    expect([passed.status, given]).toEqual([204, [[]]]);
  });

  test.each([undefined, null, "route", "router", 0, { status: 404 }])(
    "a rejection with %j is an error for the next handler, never its turn",
    async (thrown) => {
      const given: unknown[] = [];
      await answer((res) => {
        const next = (error?: unknown): void => {
          given.push(error);
          res.writeHead(500).end();
        };
        void respond(res, Promise.reject(thrown), next);
      });
      expect(given).toHaveLength(1);
      expect(given[0]).toBeInstanceOf(Error);
      expect((given[0] as Error).cause).toBe(thrown);
    },
  );

  test("an Error is given on as it is, and answered 500 without a next handler", async () => {
    const error = new Error("down");
    const given: unknown[] = [];
    await answer((res) => {
      const next = (thrown?: unknown): void => {
        given.push(thrown);
        res.end();
      };
      void respond(res, Promise.reject(error), next);
    });
    expect(given).toEqual([error]);
    expect((await answer((res) => void respond(res, Promise.reject(error)))).status).toBe(500);
  });
});
