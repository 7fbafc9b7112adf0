/** A mistake as a programmer makes it, and the tests that have to notice it. */
export interface Edit {
  /** What is wrong now, in words. */
  readonly name: string;
  readonly file: string;
  /** The text that is replaced; it must stand in the file exactly once. */
  readonly from: string;
  readonly to: string;
  /** Test files, from the folder `test`. `npm test` runs all of them. */
  readonly tests: readonly string[];
  /** Only the tests whose names fit this pattern are run: it saves time, and catches no more. */
  readonly cases?: string;
  /** The mistake makes a loop without end: tests that do not end have noticed it. */
  readonly isEndless?: boolean;
}
