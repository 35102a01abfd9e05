/** Shell completion: `docfeed completion bash|zsh|fish` prints a script, which calls the hidden command `complete`. */
import { Argument, type Command, type Option } from 'commander';
import { rules } from '../openapi/generated/rules.js';
import { reporterNames } from '../reports/reporters/spec.js';

const afterHelp = `
Examples:
  # for bash; source the line again in each new shell, or append it to ~/.bashrc
  source <(docfeed completion bash)

  # for zsh, after compinit
  source <(docfeed completion zsh)

  # for fish
  docfeed completion fish | source`;

/**
 * Each script passes the words up to the cursor, also those after `npx docfeed`. Where nothing is known, it completes
 * names of files.
 */
const scripts = {
  bash: `__docfeed_complete() {
  local value first=1
  local -a docfeed=("$1")
  COMPREPLY=()
  if [[ $1 == npx ]]; then
    [[ \${COMP_WORDS[1]} == docfeed ]] || return
    docfeed=(npx --no docfeed) first=2
  fi
  while IFS=$'\\t' read -r value _; do
    COMPREPLY+=("$value")
  done < <("\${docfeed[@]}" complete -- "\${COMP_WORDS[@]:first:COMP_CWORD-first+1}" 2>/dev/null)
}
complete -o default -F __docfeed_complete docfeed npx`,
  zsh: `#compdef docfeed npx
_docfeed() {
  local -a found docfeed
  local line first=2
  docfeed=($words[1])
  if [[ $words[1] == npx ]]; then
    if [[ $words[2] != docfeed ]]; then _files; return; fi
    docfeed=(npx --no docfeed) first=3
  fi
  for line in \${(f)"$($docfeed complete -- "\${(@)words[first,CURRENT]}" 2>/dev/null)"}; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#found )); then _describe docfeed found; else _files; fi
}
compdef _docfeed docfeed npx`,
  fish: `function __docfeed_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l docfeed $words[1]
  set -l first 2
  if test $words[1] = npx
    set docfeed npx --no docfeed
    set first 3
  end
  set -l found ($docfeed complete -- $words[$first..] 2>/dev/null)
  if test -n "$found"
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c docfeed -f -a '(__docfeed_complete)'
complete -c npx -n '__fish_seen_subcommand_from docfeed' -f -a '(__docfeed_complete)'`,
} as const;

type Candidate = readonly [value: string, description: string];

const ruleIds = (): readonly Candidate[] => rules.map(({ id, statement }) => [id, statement]);

/** Faults load the server, so they are loaded only here. */
async function faultIds(): Promise<readonly Candidate[]> {
  const { faults } = await import('../conformance/rules/faults.js');
  return faults.map(({ id, summary }) => [id, summary]);
}

/** Values of options, and of the arguments of a command, that Commander does not know. A glob is not completed. */
const valuesOf: Readonly<Record<string, () => readonly Candidate[] | Promise<readonly Candidate[]>>> = {
  '--only': ruleIds,
  '--skip': ruleIds,
  '--explain': ruleIds,
  rules: ruleIds,
  faults: ruleIds,
  '--reporter': () => reporterNames.map((name) => [name, '']),
  '--fault': faultIds,
};

/** Adds `completion` and `complete`. All other commands must be there. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .addHelpText('after', afterHelp)
    .action((shell: keyof typeof scripts) => void process.stdout.write(`${scripts[shell]}\n`));
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => {
      const lines = (await complete(program, words)).map(
        ([value, text]) => `${value}\t${text.replaceAll(/\s+/g, ' ')}\n`,
      );
      process.stdout.write(lines.join(''));
    });
}

/** @param words the words after `docfeed`; the last one is being typed and may be empty */
async function complete(program: Command, words: readonly string[]): Promise<Candidate[]> {
  const typed = words.at(-1) ?? '';
  const previous = words.at(-2) ?? '';
  let command = program;
  for (const word of words.slice(0, -1)) {
    command = command.commands.find((child) => child.name() === word) ?? command;
  }
  const help = command.createHelp();
  const options = help.visibleOptions(command);
  const option = options.find(({ short, long, required }) => required && [short, long].includes(previous));
  const candidates = async (): Promise<readonly Candidate[]> => {
    if (option) return valuesOf[option.long ?? '']?.() ?? namesOf(option);
    if (typed.startsWith('-')) return options.map(({ long, description }) => [long ?? '', description]);
    return [
      ...help.visibleCommands(command).map((child): Candidate => [child.name(), child.description()]),
      ...((await valuesOf[command.name()]?.()) ?? command.registeredArguments.flatMap(namesOf)),
    ];
  };
  return (await candidates()).filter(([value]) => value.startsWith(typed));
}

const namesOf = ({ argChoices = [] }: Option | Argument): Candidate[] => argChoices.map((name) => [name, '']);
