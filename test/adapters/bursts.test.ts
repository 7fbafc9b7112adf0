import type { Server } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Serve, WireReply } from "vitrine/node";
import { hosts, portOf } from "../support/hosts.ts";
import { open } from "../support/raw-http.ts";

const count = 30;
const busyMs = 12;

/** Counts the turns of the event loop. */
let turn = 0;
let counting: NodeJS.Immediate | undefined;
const countTurns = (): void => {
  turn += 1;
  counting = setImmediate(countTurns);
};
beforeAll(countTurns);
afterAll(() => clearImmediate(counting));

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, open) => (error ? reject(error) : resolve(open))),
  );

const notMounted = async (): Promise<Response> => new Response(null, { status: 500 });

/** Holds the processor for at least this time, so that a slower machine fits less into a turn. */
function work(): void {
  const begun = performance.now();
  while (performance.now() - begun < busyMs);
}

// The hosts of `Request` have their own test: test/http/bursts.test.ts.
describe.each(hosts.filter(({ framework }) => framework !== "web"))(
  "a burst of requests, on $name",
  (host) => {
    test.each([
      { name: "without bodies", method: "GET", length: 0, late: false },
      { name: "with bodies", method: "POST", length: 2, late: false },
      { name: "with bodies that come later", method: "POST", length: 2, late: true },
    ])("$name is worked off over many turns", async ({ method, length, late }) => {
      const doneByTurn = new Map<number, number>();
      const served: Promise<unknown>[] = [];
      const answer = async (body: () => Promise<unknown>): Promise<WireReply> => {
        if (length > 0) await body();
        await null; // Work of the storage in memory goes on in microtasks.
        work();
        doneByTurn.set(turn, (doneByTurn.get(turn) ?? 0) + 1);
        return { status: 200, headers: {}, body: "{}" };
      };
      const serve: Serve = (request) => {
        const answered = answer(() => request.body(1_000));
        served.push(answered);
        return answered;
      };
      const server = await host.start({ serve, handler: notMounted }, "/v1");
      const sockets = await Promise.all(Array.from({ length: count }, () => open(portOf(server))));
      // The server takes one connection a turn, so that a burst of new ones would never be one.
      while ((await connectionsOf(server)) < count) await nextTurn();
      const answers = sockets.map(
        (socket) => new Promise<string>((done) => socket.once("data", (data) => done(`${data}`))),
      );

      const type =
        length > 0 ? `content-type: application/json\r\ncontent-length: ${length}\r\n` : "";
      const head = `${method} /v1/x HTTP/1.1\r\nhost: a\r\n${type}\r\n`;
      const body = "{}".slice(0, length);
      for (const socket of sockets) socket.write(late ? head : head + body);
      if (late && !host.parses) while (served.length < count) await nextTurn();
      if (late) for (const socket of sockets) socket.write(body);

      for (const text of await Promise.all(answers)) expect(text).toMatch(/^HTTP\/1.1 200/);
      // Two begin before 20 ms have passed: the second ends later, and no third one begins.
      expect(Math.max(...doneByTurn.values())).toBeLessThanOrEqual(2);
      expect(served).toHaveLength(count);

      for (const socket of sockets) socket.destroy();
      server.close();
      server.closeAllConnections();
    });
  },
);
