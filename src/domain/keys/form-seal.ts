import { hmacText, timingSafeEqual } from "./hash.ts";
import type { KeyRing } from "./key-ring.ts";

/** Seals a text of a form, so that only this deployment can have made it. */
export const sealForm = (keyRing: KeyRing, purpose: string, text: string): Promise<string> =>
  sealWith(keyRing, keyRing.current.id, { purpose, text });

interface Sealed {
  readonly purpose: string;
  readonly text: string;
}

/** Tells whether a seal is that of the text, by the current key or by a former one. */
export async function isFormSeal(
  keyRing: KeyRing,
  given: string,
  sealed: Sealed,
): Promise<boolean> {
  // A form may have been opened before the seal key was changed.
  for (const id of keyRing.ids)
    if (timingSafeEqual(await sealWith(keyRing, id, sealed), given)) return true;
  return false;
}

const sealWith = async (
  keyRing: KeyRing,
  keyId: string,
  { purpose, text }: Sealed,
): Promise<string> => hmacText(await keyRing.derive(keyId, purpose), text);
