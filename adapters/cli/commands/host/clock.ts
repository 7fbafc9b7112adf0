import { dayMs } from "#core/domain/durations.ts";
import type { OwnerClock } from "#core/owner/test-clock.ts";
import { maxOffsetMs } from "#core/rules/clock/test-clock.ts";
import { type Call, end } from "../../frame/command.ts";
import { recordLines } from "../../frame/table-lines.ts";

/** Shows the clock of a store's test mode, or moves it forward until all that comes due is done. */
export async function run({ host, store, input, screen, signal }: Call): Promise<void> {
  const { testClock } = host().storefront.owner;
  const { store_id, livemode } = store();
  if (livemode) end("usage", "Only the test mode has a clock that can be moved: leave out --live.");

  const by = input.span("by");
  const until = input.time("until");
  if (by !== undefined && until !== undefined) end("usage", "Give --by or --until, not both.");

  let clock = await testClock.retrieve(store_id);
  const ms = by ?? (until === undefined ? null : msUntil(clock, until));
  if (ms !== null) refuseFar(clock, ms, by === undefined ? "--until" : "--by");
  if (ms !== null) clock = await testClock.advance({ store_id, ms });
  // A long way takes several calls. Each begins where the one before has stopped.
  while (ms !== null && clock.status === "advancing" && !signal.aborted) {
    screen.progress(`${clock.now} · on its way to ${clock.target}`);
    clock = await testClock.advance({ store_id, ms: 0 });
  }

  screen.settle();
  const { offset_ms, ...shown } = clock;
  screen.result(clock, () => recordLines({ ...shown, ahead: spanText(offset_ms) }));
}

const spanText = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  return `${Math.floor(hours / 24)} d ${hours % 24} h ${minutes % 60} min`;
};

/** The service says it in milliseconds, and of a parameter that nobody typed. */
function refuseFar({ offset_ms }: OwnerClock, ms: number, option: string): void {
  if (offset_ms + ms <= maxOffsetMs) return;
  const most = `${maxOffsetMs / dayMs} days`;
  const now = offset_ms === 0 ? "" : ` and is ${spanText(offset_ms)} ahead already`;
  end("usage", `${option} is too far: the clock can be moved by ${most} in all${now}.`);
}

function msUntil({ now }: OwnerClock, until: number): number {
  const ms = until - Date.parse(now);
  return ms > 0 ? ms : end("usage", `--until must be later than ${now}, the clock's time.`);
}
