import type { Case } from './case.ts'
import { authentication } from './cases/authentication.ts'
import { changes } from './cases/changes.ts'
import { checks } from './cases/checks.ts'
import { commandLine } from './cases/command-line.ts'
import { compositions } from './cases/compositions.ts'
import { creatingCommands } from './cases/creating-commands.ts'
import { flags } from './cases/flags.ts'
import { names } from './cases/names.ts'
import { keys } from './cases/keys.ts'
import { ownRegistry } from './cases/own-registry.ts'
import { resourceCommands } from './cases/resource-commands.ts'
import { resources } from './cases/resources.ts'
import { revisions } from './cases/revisions.ts'
import { routerCommands } from './cases/router-commands.ts'
import { selection } from './cases/selection.ts'
import { terminal } from './cases/terminal.ts'
import { tellingTheChoice } from './cases/telling-the-choice.ts'
import { up } from './cases/up.ts'

/** Rules of the system. Their cases run on every set-up, since each stores and passes on in its own way. */
export const SYSTEM_CHAPTERS: Readonly<Record<string, readonly Case[]>> = {
  'resources and their states': resources,
  'names, labels, matchers': names,
  'flags and feature subgraphs': flags,
  'when compositions run': compositions,
  'updates and deletes': changes,
  'choosing the composition for a request': selection,
  'telling the choice': tellingTheChoice,
  revisions,
  authentication,
}

/**
 * Rules of the command line, and of programs that their cases start by themselves. The same code shows them
 * whatever is behind the registry, so one set-up is enough.
 */
const COMMAND_CHAPTERS: Readonly<Record<string, readonly Case[]>> = {
  'the command line': commandLine,
  'commands that create': creatingCommands,
  'commands that change, remove and show': resourceCommands,
  'commands of routers and files': routerCommands,
  'at a terminal': terminal,
  'checks and diffs': checks,
  'the whole in one process': up,
  'a registry of its own': ownRegistry,
  'API keys and transfer': keys,
}

export const ALL_CHAPTERS: Readonly<Record<string, readonly Case[]>> = {
  ...SYSTEM_CHAPTERS,
  ...COMMAND_CHAPTERS,
}
