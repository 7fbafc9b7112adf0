import { type Html, html } from "../../contract/html.ts";
import { base64url } from "../../domain/keys/hash.ts";
import type { DashboardAction } from "../../owner/actions.ts";
import { may } from "../access/access.ts";
import { samePlace } from "../addresses.ts";
import { conflict, isStale } from "../forms/conflict.ts";
import { markOfAll } from "../forms/edit-marks.ts";
import type { Values } from "../forms/form-field.ts";
import { formTag, hidden } from "../frame/elements.ts";
import type { TextName } from "../language.ts";
import type { FormResult, ScreenForm, StoreVisit, View } from "../screen.ts";

/** One thing of a record that its list turns on and off. */
export interface SwitchKind<Row extends { readonly id: string }> {
  readonly action: DashboardAction;
  /** What is turned on, in the words of the record's form. */
  readonly label: TextName;
  nameOf(row: Row): string;
  isOn(row: Row): boolean;
  /** Gives what the form of the record holds, by which a change of somebody else is seen. */
  values(row: Row, visit: StoreVisit): Values;
  find(visit: StoreVisit, id: string): Promise<Row>;
  /** Turns it on or off in a record that is still as it was read. */
  turn(visit: StoreVisit, row: Row, isOn: boolean): Promise<unknown>;
}

/** Renders the state of a record and, for someone who may change it, a switch beside it. */
export function stateSwitch<Row extends { readonly id: string }>(
  visit: StoreVisit,
  kind: SwitchKind<Row>,
  row: Row,
  state: Html,
): Html {
  const { parts, token, language, access } = visit;
  if (!may(access, kind.action)) return state;

  const isOn = kind.isOn(row);
  const label = `${language.say(kind.label)}: ${kind.nameOf(row)}`;
  const form = formTag({
    address: samePlace(visit),
    token,
    once: base64url(parts.randomBytes(16)),
    body: html`${hidden("do", "switch")}${hidden("id", row.id)}
${hidden("to", isOn ? "off" : "on")}${hidden("seen", markOfAll(kind.values(row, visit)))}
<button class="switch" role="switch" aria-checked="${isOn ? "true" : "false"}"><span
class="unseen">${label}</span></button>`,
  });
  return html`<div class="state">${state}${form}</div>`;
}

/**
 * Makes the form of a switch. Where somebody else has changed the record since the list was
 * shown, nothing is written, and the list is shown anew.
 */
export const switchForm = <Row extends { readonly id: string }>(
  kind: SwitchKind<Row>,
  show: (visit: StoreVisit) => Promise<View>,
): ScreenForm => ({
  action: kind.action,
  async send(visit, fields): Promise<FormResult> {
    const refuse = async (): Promise<FormResult> =>
      conflict(await show(visit), visit.language.say("switch_changed"));

    try {
      const row = await kind.find(visit, fields.get("id") ?? "");
      if (markOfAll(kind.values(row, visit)) !== fields.get("seen")) return await refuse();
      await kind.turn(visit, row, fields.get("to") === "on");
      return { kind: "done", address: samePlace(visit), message: "done_saved" };
    } catch (error) {
      if (!isStale(error)) throw error;
      return refuse();
    }
  },
});
