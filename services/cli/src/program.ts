/**
 * The tree of commands, and what holds for all of them.
 *
 * Of the commands only those of the noun that was asked for are loaded, since loading all of them takes
 * longer than most commands. The other nouns are there by name and description.
 */
import { VERSION } from '@switchyard/service-kit/version'
import type { Invocation } from './command/command.ts'
import { COMMAND_FILES, type GroupEntry } from './command-files.ts'
import { asGroup, CliCommand, commandOf } from './command/command-tree.ts'
import { type Noun, type NounName, NOUNS } from './command/nouns.ts'
import { registerCommand } from './command/register-command.ts'

const NOTES = `Settings come from the environment: SWITCHYARD_REGISTRY_URL and SWITCHYARD_API_KEY (else the address and the key are used
that "up" left in .switchyard of this folder, else http://localhost:4100), NO_COLOR.

Lists are separated by spaces and end at the next option: put the name before them.

Exit codes: 0 done; 1 refused, nothing changed; 2 the command line is wrong; 3 the registry cannot be reached or the
outcome is unknown; 4 applied, but a composition that it caused failed.`

const EXAMPLES = [
  'up',
  'federated-graph create shop --label-matcher team=shop',
  'subgraph publish products --schema products.graphql --routing-url http://localhost:4101/graphql --label team=shop',
]

/**
 * The tree in which the noun is loaded that `words` name. Options may stand before it; they take no values.
 * `null` loads all commands.
 */
export async function buildProgram(
  invocation: Invocation,
  words: readonly string[] | null,
): Promise<CliCommand> {
  const program = emptyProgram(invocation)
  const asked = words?.find((word) => !word.startsWith('-'))
  for (const [name, noun] of nounsByName()) {
    const isAsked = asked !== undefined && (asked === name || asked === noun.alias)
    if (words === null || isAsked) await registerNoun(program, name, noun, invocation)
    else program.addCommand(commandOf(name, noun), { hidden: noun.hidden === true })
    program.commands.at(-1)?.helpGroup(noun.heading)
  }
  return program
}

function nounsByName(): readonly (readonly [NounName, Noun])[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
  return Object.entries(NOUNS) as [NounName, Noun][]
}

async function registerNoun(
  program: CliCommand,
  name: NounName,
  noun: Noun,
  invocation: Invocation,
): Promise<void> {
  const loading = COMMAND_FILES[name]()
  if ('then' in loading) registerCommand(program, (await loading).command, invocation)
  else await registerGroup(program, commandOf(name, noun), loading, invocation)
}

async function registerGroup(
  parent: CliCommand,
  group: CliCommand,
  entries: readonly GroupEntry[],
  invocation: Invocation,
): Promise<void> {
  // The help of a group shows the arguments of its commands, which the overview of all commands does not.
  asGroup(group.copyInheritedSettings(parent).configureHelp({}))
  parent.addCommand(group)
  for (const entry of entries) {
    if ('then' in entry) registerCommand(group, (await entry).command, invocation)
    else await registerGroup(group, commandOf(entry.name, entry), entry.commands, invocation)
  }
}

function emptyProgram(invocation: Invocation): CliCommand {
  const { stdout, stderr } = invocation.context
  const program = asGroup(new CliCommand('switchyard'))
    .description('Publishes subgraphs, composes federated graphs and serves them.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => (invocation.json ? invocation.collect(text) : stdout.write(text)),
      writeErr: (text) => {
        if (!invocation.json) stderr.write(text)
      },
      getOutHelpWidth: () => (stdout.isTTY ? (stdout.columns ?? 80) : 80),
      getErrHelpWidth: () => (stderr.isTTY ? (stderr.columns ?? 80) : 80),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    // An overview of names: what each takes is said by its own help.
    .configureHelp({ subcommandTerm: (command) => [command.name(), ...command.aliases()].join('|') })
    .showSuggestionAfterError()
    .showHelpAfterError('(add --help for how it is used)')
  program.notes = NOTES
  program.examples = EXAMPLES
  return program
}
