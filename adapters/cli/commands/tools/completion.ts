import type { Call, CommandRow } from "../../frame/command.ts";
import { optionsOf } from "../../frame/shared-options.ts";

/** Writes the completion of a shell, which knows every command, option and choice. */
export async function run({ input, screen, commands }: Call): Promise<void> {
  const shell = input.argument(0) ?? "bash";
  const write = { bash, zsh, fish }[shell] ?? bash;
  const text = write(commands);
  screen.result({ shell, text }, () => [text]);
}

/** Gives the words that may follow what is typed so far, for each command and group. */
function wordsByPlace(commands: readonly CommandRow[]): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, Set<string>>();
  const add = (place: string, word: string): void => {
    places.set(place, (places.get(place) ?? new Set()).add(word));
  };

  for (const row of commands) {
    const [first = "", second] = row.name.split(" ");
    add("", first);
    if (second !== undefined) add(first, second);
    for (const word of choicesOf(row)) add(row.name, word);
    for (const option of optionNames(row)) add(row.name, option);
  }
  return new Map([...places].map(([place, words]) => [place, [...words]]));
}

const choicesOf = ({ arguments: given = [] }: CommandRow): readonly string[] =>
  given.flatMap(({ choices = [] }) => choices);

const optionNames = (row: CommandRow): readonly string[] => [
  ...optionsOf(row).map(({ flags }) => flags.split(" ")[0] ?? flags),
  "--help",
];

const bash = (commands: readonly CommandRow[]): string => {
  const cases = [...wordsByPlace(commands)].map(
    ([place, words]) => `    "${place}") words="${words.join(" ")}" ;;`,
  );
  return `# vitrine: completion for bash
_vitrine() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) break ;; esac
    case " $(_vitrine_words "$place") " in *" $word "*) place="\${place:+$place }$word" ;; esac
  done
  COMPREPLY=($(compgen -W "$(_vitrine_words "$place")" -- "$current"))
}
_vitrine_words() {
  local words=""
  case "$1" in
${cases.join("\n")}
  esac
  echo "$words"
}
complete -o default -F _vitrine vitrine`;
};

const zsh = (commands: readonly CommandRow[]): string =>
  `#compdef vitrine
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`;

const fish = (commands: readonly CommandRow[]): string => {
  const lines = commands.flatMap(fishLines);
  return `# vitrine: completion for fish
function __vitrine_at
  set -l typed (commandline -opc)
  set -l words
  for word in $typed[2..-1]
    string match -q -- '-*' $word; and break
    set words $words $word
  end
  test "$words" = "$argv"
end
complete -c vitrine -f
${[...new Set(lines)].join("\n")}`;
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
    ...optionsOf(row).map(({ flags, text }) =>
      offer(row.name, `-l ${(flags.split(" ")[0] ?? "").slice(2)} -d ${quoted(text)}`),
    ),
  ];
}
