import { type Profiler, Session } from "node:inspector/promises";
import { sep } from "node:path";

const most = 12;
let session: Session | undefined;

export async function startProfile(): Promise<void> {
  session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 200 });
  await session.post("Profiler.start");
}

/** Lists each function's own share of the busy time in percent, the largest first. */
export async function stopProfile(): Promise<Record<string, number>> {
  if (!session) throw new Error("No profile was started.");
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  const callers = new Map(
    profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)),
  );
  const names = new Map(profile.nodes.map((node) => [node.id, nameOf(node, callers.get(node.id))]));
  const spent = new Map<string, number>();
  let busy = 0;
  for (const [at, id] of (profile.samples ?? []).entries()) {
    const name = names.get(id) ?? "?";
    const took = profile.timeDeltas?.[at] ?? 0;
    if (name === "(idle)") continue;
    busy += took;
    spent.set(name, (spent.get(name) ?? 0) + took);
  }
  const sorted = [...spent].sort(([, a], [, b]) => b - a).slice(0, most);
  return Object.fromEntries(sorted.map(([name, took]) => [name, (took / busy) * 100]));
}

/** V8 reports system calls and native code, which it cannot see into, as `(program)`. */
function nameOf(
  { callFrame: { functionName, url } }: Profiler.ProfileNode,
  caller?: Profiler.ProfileNode,
): string {
  const name =
    functionName || `(anonymous) under ${caller?.callFrame.functionName || "(anonymous)"}`;
  if (url.startsWith("node:")) return `${name}, ${url}`;
  const inPackage = url.lastIndexOf(`node_modules${sep}`);
  if (inPackage >= 0) return `${name}, ${url.slice(inPackage + 13).split(/[\\/]/)[0]}`;
  return name;
}
