import type { Call, CommandRow, OptionRow } from "../../frame/command.ts";
import { optionsOf } from "../../frame/shared-options.ts";

/** Writes the completion of a shell, which knows every command, option and choice. */
export async function run({ input, screen, commands }: Call): Promise<void> {
  const shell = input.argument(0) ?? "bash";
  const write = { bash, zsh, fish }[shell] ?? bash;
  const text = write(commands);
  screen.result({ shell, text }, () => [text]);
}

type Places = ReadonlyMap<string, readonly string[]>;

/** Gives the words that may follow each command and group. The place of the commands is "". */
function wordsByPlace(commands: readonly CommandRow[]): Places {
  const places = new Map<string, Set<string>>();
  const add = (place: string, word: string): void => {
    places.set(place, (places.get(place) ?? new Set()).add(word));
  };

  for (const row of commands) {
    const [first = "", second] = row.name.split(" ");
    add("", first);
    if (second !== undefined) add(first, second);
    for (const word of choicesOf(row)) add(row.name, word);
    for (const option of optionsOf(row)) add(row.name, nameOf(option));
    add(row.name, "--help");
  }
  return new Map([...places].map(([place, words]) => [place, [...words]]));
}

/** Gives the choices of each option that has a value, by its command and name. */
const valuesByOption = (commands: readonly CommandRow[]): Places =>
  new Map(
    commands.flatMap((row) =>
      optionsOf(row)
        .filter(takesValue)
        .map((option) => [`${row.name} ${nameOf(option)}`, option.choices ?? []]),
    ),
  );

const choicesOf = ({ arguments: given = [] }: CommandRow): readonly string[] =>
  given.flatMap(({ choices = [] }) => choices);

const nameOf = ({ flags }: OptionRow): string => flags.split(" ")[0] ?? flags;
const takesValue = ({ flags }: OptionRow): boolean => flags.includes("<");

/** Writes a function of bash and zsh that tells the words of a place, and fails for another. */
const wordFunction = (name: string, places: Places): string => {
  const cases = [...places].map(([place, words]) => `    "${place}") echo "${words.join(" ")}" ;;`);
  return `${name}() {
  case "$1" in
${cases.join("\n")}
    *) return 1 ;;
  esac
}`;
};

/** What bash and zsh share: the place that was typed, and the words that may come there. */
const shellFunctions = (commands: readonly CommandRow[]): string =>
  `${wordFunction("_vitrine_words", wordsByPlace(commands))}
${wordFunction("_vitrine_values", valuesByOption(commands))}
# Tells what may follow the given words: nothing where that is a value without choices.
_vitrine_next() {
  local place="" last="" options="" word
  for word in "$@"; do
    last="$word"
    case "$word" in -*) options=yes ;; esac
    [ -z "$options" ] && _vitrine_words "\${place:+$place }$word" >/dev/null &&
      place="\${place:+$place }$word"
  done
  _vitrine_values "$place $last" || _vitrine_words "$place"
}`;

const bash = (commands: readonly CommandRow[]): string => `# vitrine: completion for bash
${shellFunctions(commands)}
_vitrine() {
  local current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$(_vitrine_next "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "$current"))
}
complete -o default -F _vitrine vitrine`;

/** Works from a folder of `fpath`, where zsh calls the file itself, and by `source`. */
const zsh = (commands: readonly CommandRow[]): string => `#compdef vitrine
# vitrine: completion for zsh
${shellFunctions(commands)}
_vitrine() {
  local -a found
  found=(\${=$(_vitrine_next "\${(@)words[2,CURRENT-1]}")})
  if (( $#found )); then compadd -a found; else _files; fi
}
if [[ "\${funcstack[1]}" == _vitrine ]]; then _vitrine "$@"; else compdef _vitrine vitrine; fi`;

const fish = (commands: readonly CommandRow[]): string => {
  const places = [...wordsByPlace(commands).keys()].filter((place) => place !== "");
  return `# vitrine: completion for fish
set -g __vitrine_places ${places.map(quoted).join(" ")}
function __vitrine_at
  set -l typed (commandline -opc)
  set -l place
  for word in $typed[2..-1]
    string match -q -- '-*' $word; and break
    set -l longer (string join ' ' $place $word)
    contains -- $longer $__vitrine_places; and set place $longer
  end
  test "$place" = "$argv"
end
complete -c vitrine -f
${[...new Set(commands.flatMap(fishLines))].join("\n")}`;
};

const quoted = (text: string): string => `'${text.replace(/'/g, "\\'")}'`;

/** Gives what fish offers for a command: its words, then its choices and options. */
function fishLines(row: CommandRow): readonly string[] {
  const [first = "", second] = row.name.split(" ");
  const offer = (place: string, what: string): string =>
    `complete -c vitrine -n '${["__vitrine_at", place].filter(Boolean).join(" ")}' ${what}`;
  const about = `-d ${quoted(row.summary)}`;
  return [
    offer("", second === undefined ? `-a ${first} ${about}` : `-a ${first}`),
    ...(second === undefined ? [] : [offer(first, `-a ${second} ${about}`)]),
    ...choicesOf(row).map((word) => offer(row.name, `-a ${word}`)),
    ...optionsOf(row).map((option) => {
      const { choices, text, flags } = option;
      const words = choices ? `-x -a ${quoted(choices.join(" "))} ` : "-x ";
      const value = flags.includes("file>") ? "-r -F " : words;
      const name = `-l ${nameOf(option).slice(2)}`;
      return offer(row.name, `${name} ${takesValue(option) ? value : ""}-d ${quoted(text)}`);
    }),
    offer(row.name, "-l help -d 'show how the command is used'"),
  ];
}
