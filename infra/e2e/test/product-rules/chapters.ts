import type { Case } from './case.ts'
import { authentication } from './cases/authentication.ts'
import { commandLine } from './cases/command-line.ts'
import { compositions } from './cases/compositions.ts'
import { flags } from './cases/flags.ts'
import { names } from './cases/names.ts'
import { resources } from './cases/resources.ts'
import { selection } from './cases/selection.ts'

export const CHAPTERS: Readonly<Record<string, readonly Case[]>> = {
  'resources and their states': resources,
  'names, labels, matchers': names,
  'flags and feature subgraphs': flags,
  'when compositions run': compositions,
  'choosing the composition for a request': selection,
  'the command line': commandLine,
  authentication,
}
