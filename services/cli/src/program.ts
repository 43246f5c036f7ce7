/** The tree of commands. What each does is in `commands/`; here is what holds for all of them. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Invocation } from './command-spec.ts'
import { asGroup, CliCommand } from './command-tree.ts'
import { addCompletionCommands } from './commands/completion.ts'
import { addConfigCommands } from './commands/config.ts'
import { addApiKeyCommands } from './commands/api-key.ts'
import { addDeferCommands } from './commands/defer.ts'
import { addFeatureFlagCommands } from './commands/feature-flag.ts'
import { addFeatureSubgraphCommands } from './commands/feature-subgraph.ts'
import { addFederatedGraphCommands } from './commands/federated-graph.ts'
import { addHelpCommand } from './commands/help.ts'
import { addNamespaceCommands } from './commands/namespace.ts'
import { addPlanCommand } from './commands/plan.ts'
import { addRegistryCommands } from './commands/registry.ts'
import { addRouterCommands } from './commands/router.ts'
import { addSubgraphCommands } from './commands/subgraph.ts'
import { addTraceCommands } from './commands/trace.ts'
import { addUpCommand } from './commands/up.ts'

const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))).version

const NOTES = `Settings come from the environment: SWITCHYARD_REGISTRY_URL (default http://localhost:4100), SWITCHYARD_API_KEY
(else the key that "up" left in .switchyard/api-key is used), NO_COLOR.

Lists are separated by spaces and end at the next option: put the name before them.

Exit codes: 0 done; 1 refused, nothing changed; 2 the command line is wrong; 3 the registry cannot be reached or the
outcome is unknown; 4 applied, but a composition that it caused failed.`

const EXAMPLES = [
  'up',
  'federated-graph create shop --label-matcher team=shop',
  'subgraph publish products --schema products.graphql --routing-url http://localhost:4101/graphql --label team=shop',
]

/** How the overview of all commands is divided. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Graphs:': ['namespace', 'federated-graph', 'subgraph', 'config'],
  'Feature flags:': ['feature-subgraph', 'feature-flag'],
  'Routers:': ['up', 'router', 'plan', 'defer', 'trace'],
  'Registry:': ['registry', 'api-key'],
  'This program:': ['completion', 'help'],
}

export function buildProgram(invocation: Invocation): CliCommand {
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
    .showSuggestionAfterError()
    .showHelpAfterError('(add --help for how it is used)')
  program.notes = NOTES
  program.examples = EXAMPLES
  addNamespaceCommands(program, invocation)
  addFederatedGraphCommands(program, invocation)
  addSubgraphCommands(program, invocation)
  addConfigCommands(program, invocation)
  addFeatureSubgraphCommands(program, invocation)
  addFeatureFlagCommands(program, invocation)
  addUpCommand(program, invocation)
  addRouterCommands(program, invocation)
  addPlanCommand(program, invocation)
  addDeferCommands(program, invocation)
  addTraceCommands(program, invocation)
  addApiKeyCommands(program, invocation)
  addRegistryCommands(program, invocation)
  addCompletionCommands(program, invocation)
  addHelpCommand(program, invocation)
  for (const [heading, names] of Object.entries(GROUPS)) {
    for (const command of program.commands) if (names.includes(command.name())) command.helpGroup(heading)
  }
  return program
}
