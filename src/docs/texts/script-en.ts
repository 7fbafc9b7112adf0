import type { Text } from "../../domain/plural.ts";

/** What the script of the documents says, in English. */
export const scriptEnglish = {
  copy: "Copy",
  copied: "Copied",
  none: "Nothing found",
  found: { one: "Found in {count} place", other: "Found in {count} places" },
  no_index: "The search cannot be loaded.",
  wrong_key:
    "Only a publishable test key (hk_test_pub_…) is taken here. " +
    "Never type a secret or a live key into a page.",
  sending: "Sending…",
  answered: "Answered with {status}",
  no_answer: "No answer: the API cannot be reached from this page.",
} as const satisfies Readonly<Record<string, Text>>;
