import { end } from "./exit.ts";

const literalKey = /hk_(live|test)_\w+/;

/**
 * Refuses a key on the command line: by now it stands in the shell's history and in
 * the process list. The sentence does not repeat it.
 */
export function refuseLiteralKeys(words: readonly string[]): void {
  if (!words.some((word) => literalKey.test(word))) return;
  end(
    "refused",
    "An argument is an API key. It now stands in your shell's history, and every user of this" +
      " machine could read it in the process list: revoke it (vitrine keys revoke), make a new" +
      " one and pass that in VITRINE_API_KEY or with --key-file.",
  );
}
