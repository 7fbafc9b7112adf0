import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sleep } from "../../src/domain/async/sleep.ts";
import { timeBox, untilAborted } from "../../src/domain/async/time-box.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  let settled = false;
  void promise.then(
    () => (settled = true),
    () => (settled = true),
  );
  await vi.advanceTimersByTimeAsync(0);
  return settled;
};

describe("sleep", () => {
  test("it ends after its time and not before", async () => {
    const slept = sleep(1_000);
    await vi.advanceTimersByTimeAsync(999);
    expect(await isSettled(slept)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isSettled(slept)).toBe(true);
  });

  test("any of its signals ends it, and no timer or listener is left", async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const removed = vi.spyOn(first.signal, "removeEventListener");
    const slept = sleep(1_000, first.signal, second.signal);
    expect(vi.getTimerCount()).toBe(1);
    second.abort();
    expect(await isSettled(slept)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    expect(removed).toHaveBeenCalledOnce();
  });

  test("a signal that is aborted already ends it at once", async () => {
    expect(await isSettled(sleep(1_000, AbortSignal.abort()))).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a time box", () => {
  test("work that ends in time gives its result, and no timer is left", async () => {
    expect(await timeBox(Promise.resolve("done"), 1_000, () => "late")).toBe("done");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("work that fails in time rejects, and no timer is left", async () => {
    const work = Promise.reject(new Error("broken"));
    await expect(timeBox(work, 1_000, () => "late")).rejects.toThrow("broken");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("work that takes longer gives the other result, once its time is over", async () => {
    const boxed = timeBox(new Promise<string>(() => {}), 1_000, () => "late");
    await vi.advanceTimersByTimeAsync(999);
    expect(await isSettled(boxed)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await boxed).toBe("late");
  });

  test("what the other result throws is the rejection", async () => {
    const late = (): never => {
      throw new Error("too late");
    };
    const boxed = timeBox(new Promise<string>(() => {}), 1_000, late);
    const rejected = expect(boxed).rejects.toThrow("too late");
    await vi.advanceTimersByTimeAsync(1_000);
    await rejected;
  });
});

describe("work until a signal is aborted", () => {
  test("it gives the result, and no listener is left", async () => {
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, "removeEventListener");
    expect(await untilAborted(Promise.resolve(7), signal)).toBe(7);
    await vi.advanceTimersByTimeAsync(0);
    expect(removed).toHaveBeenCalledOnce();
  });

  test("it rejects with the reason, before its work and during it", async () => {
    const never = new Promise<never>(() => {});
    await expect(untilAborted(never, AbortSignal.abort("gone"))).rejects.toBe("gone");

    const controller = new AbortController();
    const rejected = expect(untilAborted(never, controller.signal)).rejects.toBe("stop");
    controller.abort("stop");
    await rejected;
  });
});
