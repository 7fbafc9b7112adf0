import { z } from "zod";
import { html } from "../../../contract/html.ts";
import { dayMs, hourMs } from "../../../domain/durations.ts";
import { refuse } from "../../../input/check.ts";
import type { OwnerClock } from "../../../owner/test-clock.ts";
import { inStore } from "../../addresses.ts";
import { timeTag } from "../../format.ts";
import { type FormSpec, type FormState, freshForm, typedForm } from "../../forms/form.ts";
import { renderForm } from "../../forms/render-form.ts";
import { buttonForm, card, facts, notice } from "../../frame/elements.ts";
import type { FormResult, Screen, StoreVisit, View } from "../../screen.ts";

const spanNames = ["hour", "day", "week", "month", "year"] as const;

/** The steps that are offered, in milliseconds. A moment of one's own stands beside them. */
const spans: Readonly<Record<(typeof spanNames)[number], number>> = {
  hour: hourMs,
  day: dayMs,
  week: 7 * dayMs,
  month: 31 * dayMs,
  year: 366 * dayMs,
};

const Turn = z.object({
  span: z.enum(spanNames),
  until: z.int().nullish(),
});

const turnForm = ({ language }: StoreVisit): FormSpec<typeof Turn> => ({
  name: "turn",
  action: "test_clock.advance",
  schema: Turn,
  submit: "clock_turn",
  groups: [
    {
      title: null,
      fields: [
        {
          name: "span",
          label: "clock_span",
          kind: "choice",
          options: spanNames.map((value) => ({ value, label: language.say(`clock_${value}`) })),
        },
        { name: "until", label: "clock_until", hint: "clock_until_hint", kind: "moment" },
      ],
    },
  ],
});

const clockOf = ({ parts, store }: StoreVisit): Promise<OwnerClock> =>
  parts.owner.testClock.retrieve(store.id);

function view(visit: StoreVisit, clock: OwnerClock, state: FormState): View {
  const { say } = visit.language;
  const title = say("test_clock");
  if (visit.livemode) {
    const address = inStore({ ...visit, livemode: false }, ["test-clock"]);
    const body = html`${notice("plain", say("clock_live"))}
<p><a class="button" href="${address}">${say("clock_to_test")}</a></p>`;
    return { title, body };
  }

  const times = facts([
    [say("clock_now"), timeTag(visit, clock.now)],
    ...(clock.status === "advancing"
      ? [[say("clock_target"), timeTag(visit, clock.target)] as const]
      : []),
  ]);
  const goOn = buttonForm(visit, {
    name: "go_on",
    action: "test_clock.advance",
    label: "clock_go_on",
    kind: "primary",
  });
  const form =
    clock.status === "advancing"
      ? html`${notice("warn", say("clock_advancing"))}${goOn}`
      : renderForm(visit, turnForm(visit), state);
  return { title, lead: say("clock_lead"), body: html`${card(null, times)}${form}` };
}

/** Moves the clock. The screen says how far it came. */
async function turn({ parts, store, path }: StoreVisit, ms: number): Promise<FormResult> {
  const { status } = await parts.owner.testClock.advance({ store_id: store.id, ms });
  const message = status === "ready" ? "done_clock" : null;
  return { kind: "done", address: path, message };
}

export const testClockScreen: Screen = {
  path: "test-clock",
  section: null,
  action: "test_clock.advance",
  show: async (visit) => view(visit, await clockOf(visit), freshForm({ span: ["day"] })),
  forms: {
    turn: typedForm({
      action: "test_clock.advance",
      find: clockOf,
      spec: turnForm,
      show: view,
      work(visit, clock, { span, until }) {
        if (until == null) return turn(visit, spans[span]);
        const ms = until - Date.parse(clock.now);
        return ms > 0 ? turn(visit, ms) : refuse("until", "must be later than the clock's time");
      },
    }),
    go_on: { action: "test_clock.advance", send: (visit) => turn(visit, 0) },
  },
};
