import type { Edit } from "../edit.ts";

const sql = "adapters/storage/sql";
const conformance = ["conformance/storages.test.ts"];
const revocation = ["dashboard/revocation.test.ts"];
const passkeys = ["dashboard/people/passkeys.test.ts"];
const people = ["dashboard/people/people.test.ts"];
const cases = "dashboard";

/** Links and sessions of the dashboard: who made them, and what ends with them. */
export const accessEdits: readonly Edit[] = [
  {
    name: "a link is spent beside the end of its maker's session",
    file: `${sql}/dashboard/dashboard.ts`,
    from: "      yield* one(lockStore(engine, store_id));\n",
    to: "",
    tests: conformance,
    cases,
  },
  {
    name: "a session ends beside the links that are made in it",
    file: `${sql}/dashboard/dashboard-sessions.ts`,
    from: "  yield* one(lockStore(engine, store_id));\n",
    to: "",
    tests: conformance,
    cases,
  },
  {
    name: "the end of a session leaves what its links' sessions have made",
    file: `${sql}/dashboard/dashboard-sessions.ts`,
    from: "join chain on s.made_in = chain.hash",
    to: "join chain on s.made_in = chain.hash and false",
    tests: conformance,
    cases,
  },
  {
    name: "the end of a session leaves the links of the chain",
    file: `${sql}/dashboard/dashboard-sessions.ts`,
    from: '.where("made_in", "in", hashes),',
    to: '.where("made_in", "=", hash),',
    tests: conformance,
    cases,
  },
  {
    name: "a session that is ended goes on making links",
    file: `${sql}/dashboard/dashboard.ts`,
    from: 'if (!maker) return { result: { outcome: "unknown_session" }, change: null };',
    to: "",
    tests: conformance,
    cases,
  },
  {
    name: "links that are past their time are listed",
    file: `${sql}/dashboard/dashboard.ts`,
    from: '    .where("expires_at", ">", now);\n  if (after',
    to: '    .where("expires_at", ">=", 0);\n  if (after',
    tests: conformance,
    cases,
  },
  {
    name: "the memory forgets the sessions that a link of an ended session has opened",
    file: "src/memory/access/dashboard.ts",
    from: "if (isOf(session)) ended.push(session);",
    to: "if (isOf(session)) sessions.delete(session.session_hash);",
    tests: conformance,
    cases,
  },
  {
    name: "the audit log does not tell who came by a link",
    file: "src/rules/audit/audit-entry.ts",
    from: "if (via === undefined) return { actor };",
    to: "if (via !== undefined) return { actor };",
    tests: revocation,
  },
  {
    name: "a visitor's link belongs to no session",
    file: "src/dashboard/links.ts",
    from: "made_in: session?.hash ?? null",
    to: "made_in: null",
    tests: revocation,
  },
  {
    name: "whoever opens a link of their own ends it at once",
    file: "src/dashboard/access/open-session.ts",
    from: "if (old && !(await isFrom(link, old.session_hash, parts))) {",
    to: "if (old) {",
    tests: revocation,
  },
  {
    name: "a link that was used before its end is told to be ended",
    file: "src/dashboard/screens/sessions.ts",
    from: "if (await audited.endLink(link, parts.now()))",
    to: "if ((await audited.endLink(link, parts.now())) || true)",
    tests: revocation,
  },
  {
    name: "a link of a store out of reach is ended",
    file: "src/dashboard/links.ts",
    from: "if (!isInReach || !(await",
    to: "if (!(await",
    tests: revocation,
  },
  {
    name: "a passkey of another site's page signs in",
    file: "src/dashboard/passkeys/ceremony.ts",
    from: "said.origin !== settings.origin || said.crossOrigin",
    to: "said.crossOrigin",
    tests: passkeys,
  },
  {
    name: "a passkey signs in without verifying its person",
    file: "src/dashboard/passkeys/ceremony.ts",
    from: "return isPresent && isVerified &&",
    to: "return isPresent &&",
    tests: passkeys,
  },
  {
    name: "a challenge is good twice",
    file: "src/dashboard/passkeys/sign-in.ts",
    from: "if (!isFirst || !(await usePasskey",
    to: "if (!(await usePasskey",
    tests: passkeys,
  },
  {
    name: "a copied passkey signs in",
    file: "src/dashboard/passkeys/sign-in.ts",
    from: "counter > before || (counter === 0 && before === 0);",
    to: "counter >= 0 || before === 0;",
    tests: passkeys,
  },
  {
    name: "a link that a person gave keeps the rights that the person has lost",
    file: "src/dashboard/access/who.ts",
    from: "giver ? limitRights(given, readRights(giver.access)) : given",
    to: "given",
    tests: people,
  },
  {
    name: "whoever may do less changes one who may do more",
    file: "src/dashboard/people-calls.ts",
    from: "if (by && !isWithin(readRights(person.access), by.access))",
    to: "if (by && !person)",
    tests: people,
  },
  {
    name: "the right to end sessions ends people",
    file: "src/dashboard/screens/sessions.ts",
    from: 'if (isPersonId(hash)) fail("resource_not_found", { param: "session" });',
    to: "",
    tests: people,
  },
];
