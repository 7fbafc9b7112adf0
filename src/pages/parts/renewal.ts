import { amountText, type Scene } from "../scene.ts";

/** Says what each later period of a subscription costs. Null stands for a single purchase. */
export function renewalText(scene: Scene): string | null {
  const { recurring } = scene.view;
  if (recurring === null) return null;

  const { interval, interval_count: count, amount } = recurring;
  const { say, sayCount } = scene.language;
  const values = { amount: amountText(scene, amount) };
  return count === 1
    ? say(`renews_${interval}`, values)
    : sayCount(`renews_${interval}s`, count, values);
}

/**
 * Gives the words by which the buyer lets the store charge the later periods by this method.
 * Null means that the method is not kept.
 */
export function consentText(scene: Scene, method_id: string): string | null {
  const { recurring, store } = scene.view;
  const renewal = renewalText(scene);
  if (renewal === null || !recurring?.saved_by.includes(method_id)) return null;
  return scene.language.say("consent", { store: store.name, renewal });
}
