import type { Text } from "../../domain/plural.ts";

/** The words between the parts of the reference, in English. */
export const referenceEnglish = {
  parameters: "Parameters",
  answers: "Answers",
  body_of: "Body",
  body_as: "as",
  key: "Key",
  scope: "scope",
  or: "or",
  and: "and",
  either: "Either",
  any: "any",
  array_of: "array of",
  required: "required",
  optional: "optional",
  in_path: "path",
  in_query: "query",
  in_header: "header",
  bounds: "{least} to {most}",
  bounds_of_items: "{least} to {most} of them",
  at_most_characters: {
    one: "at most {count} character",
    other: "at most {count} characters",
  },
  at_most_entries: { one: "at most {count} entry", other: "at most {count} entries" },
  try_it: "Try it",
  try_key: "Publishable test key",
  try_send: "Send",
  no_try: "This call needs a secret key or a buyer's token: run it on a server.",
} as const satisfies Readonly<Record<string, Text>>;
