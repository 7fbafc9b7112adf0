import type { CaseContext } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";

const hour = 3_600_000;

/** Makes and spends links of the dashboard that are good for an hour. */
export function dashboardLinks(context: CaseContext) {
  const { storage, clock } = context;
  const { shop, partition } = fixtures(context);
  const { store_id } = partition;
  const ref = (hash: string) => ({ store_id, hash });

  let hasShop = false;
  const create = async (link_hash: string, made_in: string | null = null) => {
    if (!hasShop) await shop();
    hasShop = true;
    const now = clock.now();
    const link = { store_id, link_hash, actor: "ana@example.com", access: ["keys.create"] };
    const maker = { made_by: made_in && `actor of ${made_in}`, made_in };
    const record = { ...link, ...maker, created_at: now, expires_at: now + hour };
    return { record, ...(await storage.dashboard.createLink(record)) };
  };
  const spend = (hash: string, session_hash: string) => {
    const session = { session_hash, expires_at: clock.now() + 12 * hour };
    return storage.dashboard.spendLink(ref(hash), session, clock.now());
  };
  /** Makes a link in a session and spends it: the new session is named `s` and the link's hash. */
  const chain = async (hash: string, made_in: string | null = null) => {
    await create(hash, made_in);
    return spend(hash, `s${hash}`);
  };
  /** Names the sessions and links that are left, at most 100 of each. */
  const left = async () => {
    const open = await storage.dashboard.listSessions(store_id, clock.now());
    const unspent = await storage.dashboard.listLinks({ store_id, limit: 100 }, clock.now());
    return [...open.map((row) => row.session_hash), ...unspent.map((row) => row.link_hash)].sort();
  };
  return { store_id, ref, create, spend, chain, left };
}
