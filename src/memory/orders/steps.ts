import { takeStep } from "../../rows/step/step.ts";
import type { StepStore } from "../../storage/step-store.ts";
import { written } from "../access/written.ts";
import type { MemoryState } from "../state.ts";
import { stepRows } from "./step-rows.ts";

/** Makes the steps. Each loads, decides and writes without an `await` in between. */
export const memorySteps = (state: MemoryState): StepStore => ({
  async step(subject, decide) {
    const rows = stepRows(state, subject);
    return written(state, takeStep(rows, subject, decide), subject.author);
  },
});
