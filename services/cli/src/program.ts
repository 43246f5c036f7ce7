/**
 * The tree of commands. What each does is in `commands/`; here is what holds for all of them.
 *
 * Of the tree only the noun that was asked for is loaded, since loading all of it takes longer than most commands. The
 * others are there by name and description, which is what an overview, a suggestion and the shell need.
 */
import { readFileSync } from 'node:fs'
import type { Invocation, Noun, ProgramFor } from './command.ts'
import { asGroup, CliCommand, commandOf } from './command-tree.ts'

type AddCommands = (program: CliCommand, invocation: Invocation, noun: Noun, programFor: ProgramFor) => void
/** `heading` divides the overview of all commands. */
type LazyNoun = Noun & { readonly heading: string; readonly load: () => Promise<AddCommands> }

const NOUNS: readonly LazyNoun[] = [
  {
    name: 'namespace',
    description: 'keep graphs of different teams or stages apart',
    heading: 'Graphs:',
    load: async () => (await import('./commands/namespace.ts')).addNamespaceCommands,
  },
  {
    name: 'federated-graph',
    alias: 'graph',
    description: 'graphs composed from the subgraphs whose labels match',
    heading: 'Graphs:',
    load: async () => (await import('./commands/federated-graph.ts')).addFederatedGraphCommands,
  },
  {
    name: 'subgraph',
    description: 'the services that a federated graph is composed from',
    heading: 'Graphs:',
    load: async () => (await import('./commands/subgraph.ts')).addSubgraphCommands,
  },
  {
    name: 'apply',
    description: 'bring graphs, subgraphs and feature flags into the state that a file describes, at once',
    heading: 'Graphs:',
    load: async () => (await import('./commands/apply.ts')).addApplyCommand,
  },
  {
    name: 'config',
    description: 'the revisions of a graph that routers were given',
    heading: 'Graphs:',
    load: async () => (await import('./commands/config.ts')).addConfigCommands,
  },
  {
    name: 'feature-subgraph',
    alias: 'fs',
    description: 'replacements of subgraphs, used through feature flags',
    heading: 'Feature flags:',
    load: async () => (await import('./commands/feature-subgraph.ts')).addFeatureSubgraphCommands,
  },
  {
    name: 'feature-flag',
    alias: 'ff',
    description: 'named alternatives of a graph, in which feature subgraphs replace subgraphs',
    heading: 'Feature flags:',
    load: async () => (await import('./commands/feature-flag.ts')).addFeatureFlagCommands,
  },
  {
    name: 'up',
    description: 'start everything on this machine: registry, composer, config distribution and a router',
    heading: 'Routers:',
    load: async () => (await import('./commands/up.ts')).addUpCommand,
  },
  {
    name: 'router',
    description: 'compose for, start and look at routers',
    heading: 'Routers:',
    load: async () => (await import('./commands/router/list.ts')).addRouterCommands,
  },
  {
    name: 'plan',
    description: 'print how the router would answer an operation: its fetches, why, and what each waits for',
    heading: 'Routers:',
    load: async () => (await import('./commands/plan.ts')).addPlanCommand,
  },
  {
    name: 'defer',
    description: 'look at how deferred answers arrive',
    heading: 'Routers:',
    load: async () => (await import('./commands/defer/doctor.ts')).addDeferCommands,
  },
  {
    name: 'trace',
    description: 'look at what a router did for one request',
    heading: 'Routers:',
    load: async () => (await import('./commands/trace/open.ts')).addTraceCommands,
  },
  {
    name: 'api-key',
    description: 'decide who may use the registry',
    heading: 'Registry:',
    load: async () => (await import('./commands/api-key.ts')).addApiKeyCommands,
  },
  {
    name: 'registry',
    description: 'back the registry up, move it to another installation, rotate its trace keys',
    heading: 'Registry:',
    load: async () => (await import('./commands/registry.ts')).addRegistryCommands,
  },
  {
    name: 'completion',
    description: 'print what makes a shell complete commands, options and names',
    heading: 'This program:',
    load: async () => (await import('./commands/completion.ts')).addCompletionCommand,
  },
  {
    name: '__complete',
    description: 'print what may come next; the scripts of "completion" call it',
    hidden: true,
    heading: 'This program:',
    load: async () => (await import('./commands/completion.ts')).addCompleteCommand,
  },
  {
    name: 'help',
    description: 'show how a command is used',
    heading: 'This program:',
    load: async () => (await import('./commands/help.ts')).addHelpCommand,
  },
]

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

/** Of `words`, which may have options in front, the first one names the noun that is loaded; `null` loads all. */
export async function buildProgram(
  invocation: Invocation,
  words: readonly string[] | null,
): Promise<CliCommand> {
  const program = emptyProgram(invocation)
  // Options before the noun take no values.
  const asked = words?.find((word) => !word.startsWith('-'))
  for (const { load, heading, ...noun } of NOUNS) {
    const isAsked = asked !== undefined && [noun.name, noun.alias].includes(asked)
    if (words === null || isAsked) {
      const add = await load()
      add(program, invocation, noun, (others) => buildProgram(invocation, others))
    } else {
      program.addCommand(commandOf(noun), { hidden: noun.hidden === true })
    }
    program.commands.at(-1)?.helpGroup(heading)
  }
  return program
}

function emptyProgram(invocation: Invocation): CliCommand {
  const { stdout, stderr } = invocation.context
  const program = asGroup(new CliCommand('switchyard'))
    .description('Publishes subgraphs, composes federated graphs and serves them.')
    .version(version())
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

function version(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return /"version": "([^"]+)"/.exec(text)?.[1] ?? 'unknown'
}
