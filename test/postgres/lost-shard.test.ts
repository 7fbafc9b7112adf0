import { expect, test } from "vitest";
import { isTransient } from "../../adapters/storage/sql/engine/failures.ts";
import { readWithFreshPlan } from "../../adapters/storage/sql/engine/retry.ts";

const internal = (message: string) => Object.assign(new Error(message), { code: "XX000" });

test.each([
  "could not commit transaction for shard 102008 on at least one active node",
  "failure on connection marked as essential: 10.0.0.7:5432",
  "server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally",
  "could not receive data from server: Connection reset by peer",
  "SSL SYSCALL error: EOF detected",
  "postmaster was shut down, exiting",
])("the loss of a Citus node, %j, is tried again", (message) => {
  expect(isTransient(internal(message))).toBe(true);
});

test("a read of a store whose shard was just moved to another node is tried again", async () => {
  const moved = internal("cannot execute a distributed query from a query on a shard");
  const answers = [Promise.reject(moved), Promise.reject(moved), Promise.resolve("read")];
  for (const answer of answers) answer.catch(() => {});

  const read = () => answers.shift() ?? Promise.reject(new Error("Nothing is left."));
  expect(await readWithFreshPlan(read)).toBe("read");
  expect(isTransient(moved)).toBe(true);
});

test("another internal error is not tried again", () => {
  expect(isTransient(internal("cache lookup failed for relation 17"))).toBe(false);
});
