/** The parts of the package: programs, and modules that they start as processes or threads. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Ignored by git. */
export const BUILD = join(ROOT, '.package')

/** The oldest Node.js that runs the package: tests run it, see scripts/oldest-node.sh. */
export const OLDEST_NODE = '22.19'

/** Commands of the package, and the source of each. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  switchyard: 'services/cli/src/main.ts',
  'switchyard-registry': 'services/registry/src/main.ts',
  'switchyard-composer': 'services/composer/src/main.ts',
  'switchyard-config-distribution': 'services/config-distribution/src/main.ts',
  'switchyard-router': 'services/router/src/main.ts',
}

/** Modules that programs start by their file, in a process or a thread of their own. */
const STARTED: Readonly<Record<string, string>> = {
  'standalone-process': 'services/standalone/src/main.ts',
  'composition-worker': 'services/composer/src/lanes/composition-worker.ts',
  'sdl-worker': 'services/registry/src/schemas/sdl-worker.ts',
  'document-worker': 'services/registry/src/documents/document-worker.ts',
  'comparison-worker': 'services/registry/src/comparisons/comparison-worker.ts',
  'schema-worker': 'services/registry/src/compositions/schema-worker.ts',
  'coordinates-worker': 'services/registry/src/usage/coordinates-worker.ts',
  'planning-worker': 'services/router/src/planning/planning-worker.ts',
  'compile-worker': 'services/router/src/generations/build/compile-worker.ts',
  'router-worker': 'services/router/src/workers/worker-main.ts',
  'sqlite-worker': 'shared/event-log/src/sqlite/worker.ts',
  'opinion-worker': 'shared/second-opinion/src/opinion-worker.ts',
  'check-thread': 'shared/schema-checks/src/threads/composition-thread.ts',
  'check-documents-thread': 'shared/schema-checks/src/threads/document-thread.ts',
}

/** The files of pages that services send: the folder where each is built, and the one beside the programs. */
export const PAGES = [
  { built: 'shared/playground/dist/', inPackage: 'playground-page/' },
  { built: 'shared/studio/dist/', inPackage: 'studio-page/' },
] as const

/** Source by name of the file that it becomes. */
export const ENTRIES: ReadonlyMap<string, string> = new Map(
  [...Object.entries(PROGRAMS), ...Object.entries(STARTED)].map(([name, path]) => [name, join(ROOT, path)]),
)
