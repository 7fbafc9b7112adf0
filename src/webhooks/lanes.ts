import type { ClaimedDelivery } from "../rules/webhook-records.ts";

export interface Leased {
  readonly delivery: ClaimedDelivery;
  /** Of its claim: only who holds it records a failure. */
  readonly token: string;
  /** After this a whole attempt and its settling no longer fit into the lease. */
  readonly start_by: number;
}

interface Lane {
  readonly id: string;
  readonly waiting: Leased[];
  open: number;
  /** The last send timed out: one at a time until a success. */
  slow: boolean;
  /** Sends that ended by an answer, by second. */
  readonly took: Map<number, number>;
  ended_at: number;
}

const windowSeconds = 5;
const maxRoom = 100;
const stuckAfterMs = 250;

/** What this drain holds of each endpoint: an endpoint's requests share its slots and nobody else's. */
export function createLanes(perEndpoint: number, clock: () => number) {
  const lanes = new Map<string, Lane>();
  /** Lanes with something waiting and a free slot; the first has waited longest for its turn. */
  const ready = new Set<Lane>();
  let waiting = 0;

  const laneOf = (id: string): Lane => {
    let lane = lanes.get(id);
    if (!lane) {
      lane = { id, waiting: [], open: 0, slow: false, took: new Map(), ended_at: clock() };
      lanes.set(id, lane);
    }
    return lane;
  };
  const capOf = (lane: Lane): number => (lane.slow ? 1 : perEndpoint);
  const queue = (lane: Lane): void => {
    if (lane.waiting.length > 0 && lane.open < capOf(lane)) ready.add(lane);
    else ready.delete(lane);
  };
  const recent = (lane: Lane): number => {
    const since = Math.floor(clock() / 1_000) - windowSeconds;
    let sum = 0;
    for (const [second, count] of lane.took) {
      if (second <= since) lane.took.delete(second);
      else sum += count;
    }
    return sum;
  };
  const allowance = (lane: Lane): number => Math.min(maxRoom, recent(lane) + capOf(lane));
  // An endpoint that has answered nothing of late is not leased ahead of its free slots: nobody else could send what it holds up.
  const isQuiet = (lane: Lane): boolean => lane.slow || recent(lane) === 0;
  // One that answers is leased ahead by a second claim, so that it has something to send while the next one is under way.
  const roomOf = (lane: Lane): number => {
    const most = allowance(lane);
    const left = isQuiet(lane)
      ? most - lane.waiting.length - lane.open
      : 2 * most - lane.waiting.length;
    return Math.max(0, Math.min(most, left));
  };
  const isStuck = (lane: Lane): boolean =>
    lane.open >= capOf(lane) && clock() - lane.ended_at > stuckAfterMs;

  return {
    get waiting(): number {
      return waiting;
    },
    /** Waiting, but for what stuck endpoints hold up. */
    startable(): number {
      let count = 0;
      for (const lane of lanes.values()) if (!isStuck(lane)) count += lane.waiting.length;
      return count;
    },
    add(leased: Leased): void {
      const lane = laneOf(leased.delivery.endpoint_id);
      lane.waiting.push(leased);
      waiting += 1;
      queue(lane);
    },
    /** The next to be sent, the endpoints taking turns; its slot is taken. */
    next(): Leased | undefined {
      const [lane] = ready;
      const leased = lane?.waiting.shift();
      if (!lane || !leased) return undefined;
      waiting -= 1;
      lane.open += 1;
      ready.delete(lane);
      queue(lane);
      return leased;
    },
    ended(id: string, how: "delivered" | "failed" | "timeout" | "unsent"): void {
      const lane = laneOf(id);
      lane.open -= 1;
      if (how === "timeout") lane.slow = true;
      if (how === "delivered") lane.slow = false;
      if (how === "delivered" || how === "failed") {
        const second = Math.floor(clock() / 1_000);
        lane.took.set(second, (lane.took.get(second) ?? 0) + 1);
        lane.ended_at = clock();
      }
      queue(lane);
    },
    /** How many of each endpoint the next claim may lease, where it is not `perEndpoint`. */
    rooms(): Record<string, number> {
      const rooms: Record<string, number> = {};
      for (const lane of lanes.values()) {
        const room = roomOf(lane);
        if (room !== perEndpoint) rooms[lane.id] = room;
      }
      return rooms;
    },
    /** Is it worth a claim? Not for every single slot of an endpoint that is leased ahead. */
    hasRoom(id: string): boolean {
      const lane = lanes.get(id);
      return (
        !lane || roomOf(lane) >= (isQuiet(lane) ? Math.ceil(allowance(lane) / 2) : allowance(lane))
      );
    },
    giveBackOf(id: string): Leased[] {
      const lane = lanes.get(id);
      if (!lane) return [];
      const out = lane.waiting.splice(0);
      waiting -= out.length;
      queue(lane);
      return out;
    },
    /** Takes out what waited too long, or everything. */
    giveBack(now: number | null): Leased[] {
      const out: Leased[] = [];
      for (const lane of lanes.values()) {
        const kept: Leased[] = [];
        for (const leased of lane.waiting)
          (now !== null && leased.start_by >= now ? kept : out).push(leased);
        if (kept.length === lane.waiting.length) continue;
        lane.waiting.splice(0, lane.waiting.length, ...kept);
        queue(lane);
      }
      waiting -= out.length;
      return out;
    },
  };
}
