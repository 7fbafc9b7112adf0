import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { nodeTransport } from "../../adapters/transport/node.ts";

let close = (): void => {};
afterEach(() => close());

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

/** A receiver that answers the posts of all its connections in turn; null hangs up instead. */
async function receiver(answers: readonly (string | null)[]) {
  const seen = { connections: 0, posts: 0 };
  const server = createServer((socket: Socket) => {
    seen.connections += 1;
    socket.on("error", () => {});
    socket.on("data", () => {
      const answer = answers[seen.posts] ?? null;
      seen.posts += 1;
      if (answer === null) socket.resetAndDestroy();
      else socket.write(answer);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const transport = nodeTransport({ allowTargets: [target], warn: () => {} });
  close = () => {
    transport.close();
    server.close();
  };
  const send = () =>
    transport.send({ url: `${target}/`, headers: {}, body: "{}", timeoutMs: 5_000 });
  return { seen, send };
}

test("a new connection that breaks is not tried again: the receiver may have the post", async () => {
  const { seen, send } = await receiver([null, ok]);
  expect(await send()).toMatchObject({ ok: false, error: "connection_reset" });
  expect(seen).toEqual({ connections: 1, posts: 1 });
});

test("a kept connection that breaks is followed by one new one, and by no third", async () => {
  const { seen, send } = await receiver([ok, null, null, ok]);
  expect(await send()).toMatchObject({ ok: true });
  expect(await send()).toMatchObject({ ok: false, error: "connection_reset" });
  expect(seen).toEqual({ connections: 2, posts: 3 });
});

test("a kept connection that breaks costs nothing when the new one answers", async () => {
  const { seen, send } = await receiver([ok, null, ok]);
  await send();
  expect(await send()).toMatchObject({ ok: true, status: 200 });
  expect(seen).toEqual({ connections: 2, posts: 3 });
});

test("posts that follow each other share a connection", async () => {
  const { seen, send } = await receiver([ok, ok, ok]);
  for (let turn = 0; turn < 3; turn += 1) expect(await send()).toMatchObject({ ok: true });
  expect(seen).toEqual({ connections: 1, posts: 3 });
});
