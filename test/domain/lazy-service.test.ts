import { expect, test } from "vitest";
import { lazyService } from "../../src/domain/async/lazy-service.ts";

interface Counter {
  add(amount: number): Promise<number>;
}

function openCounter() {
  const loads: string[] = [];
  let sum = 0;
  const counter = lazyService<Counter>(async () => {
    loads.push("loaded");
    return {
      async add(amount) {
        sum += amount;
        return sum;
      },
    };
  });
  return { counter, loads };
}

test("a service is loaded at its first call, and once for calls at the same time", async () => {
  const { counter, loads } = openCounter();
  expect(loads).toHaveLength(0);
  expect((await Promise.all([counter.add(1), counter.add(2)])).at(-1)).toBe(3);
  expect(loads).toHaveLength(1);
  expect(counter.add).toBe(counter.add);
});

test("a service can be awaited, and a method that it does not have rejects with its name", async () => {
  const { counter } = openCounter();
  expect(await counter).toBe(counter);

  const call: unknown = Reflect.get(counter, "remove");
  expect(call).toBeTypeOf("function");
  const remove = call as () => Promise<unknown>;
  await expect(remove()).rejects.toThrow("There is no method remove.");
});

test("a service is no JSON, and a host's test can put a method over its own", async () => {
  const { counter } = openCounter();
  expect(JSON.stringify(counter)).toBe("{}");
  counter.add = async () => 7;
  expect(await counter.add(1)).toBe(7);
});
