import { existsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** `SWITCHYARD_TEST_FULL=1` adds the long runs (`*.full.test.ts`); see scripts/run-tests.ts. */
const full = process.env['SWITCHYARD_TEST_FULL'] === '1'
/** `SWITCHYARD_TEST_LONG=1` beside it adds those for which CI has no time (`*.long.test.ts`). */
const long = full && process.env['SWITCHYARD_TEST_LONG'] === '1'
/** The tests that this run leaves out. */
const LEFT_OUT = [...(full ? [] : ['**/*.full.test.ts']), ...(long ? [] : ['**/*.long.test.ts'])]

/** Packages of functions that keep nothing. */
const PURE =
  'composition,contracts,corpus,domain,engine,event-streams,guards,incremental-delivery,request-trace,samples,schema-checks,second-opinion,trace-viewer'

const SERVICES = ['{shared,services,infra}/*/test/**/*.test.ts', 'docs/test/**/*.test.ts']

/** What gets a process for each file: those that measure the heap of their process, and the long runs. */
const ALONE = [
  'services/router/test/generations/memory.test.ts',
  'services/router/test/generations/compiler.test.ts',
  'services/router/test/http/hostile-input.test.ts',
  'services/router/test/http/unanswered-requests.test.ts',
  'services/router/test/operation/held-memory.test.ts',
  'services/router/test/startup/reload-memory.test.ts',
  '{shared,services,infra}/*/test/**/*.{full,long}.test.ts',
  'docs/test/**/*.full.test.ts',
]

/**
 * More than the two cores of CI: many tests wait for programs, timers and disks. A process takes up to 1 GB,
 * and what it starts more.
 */
const WAITING_WORKERS = Math.max(2, Math.min(5, Math.floor(totalmem() / 1.5e9)))

/** Long runs that take minutes, most of them waiting. They begin before all others, which run beside them. */
const LONG_RUNS = [
  'infra/docker/test/containers.full.test.ts',
  'services/router/test/faults/ill-subgraphs.full.test.ts',
  'infra/observability/test/alerts.full.test.ts',
  'docs/test/pages.full.test.ts',
  'infra/package/test/package.full.test.ts',
  'infra/faults/test/quick-faults.full.test.ts',
]

/** Other files that take long. They begin first in their project, so that none of them is alone at the end. */
const LONGEST = [
  'services/router/test/http/unsent-answers.test.ts',
  'services/router/test/main.test.ts',
  'services/router/test/generations/damaged-copy.test.ts',
  'services/cli/test/keys-and-transfer.test.ts',
  'services/cli/test/verify/corpus.test.ts',
  'services/cli/test/subgraph-check.test.ts',
  'services/router/test/call/policies/hedge/hedges.test.ts',
  'infra/hunt/test/hunt.test.ts',
  'infra/e2e/test/documents.test.ts',
  'services/router/test/faults/ill-at-times.test.ts',
  'services/router/test/generations/hot-swap.test.ts',
  'services/composer/test/composer.test.ts',
  'services/composer/test/base-first.test.ts',
  'services/cli/test/resources.test.ts',
  'services/router/test/generations/starting-with-flags.test.ts',
]

/**
 * The order of vitest, with the longest files before the others. In `make test` files of one project stay
 * together: a process goes on only with files of its own project. Long runs leave processors idle, so files
 * of all projects run beside them.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files)
    if (full) return inOrderOf(LONG_RUNS, usual)
    const byProject = [...Map.groupBy(usual, ({ project }) => project).values()]
    return byProject.flatMap((those) => inOrderOf(LONGEST, those))
  }
}

function pathOf({ moduleId }: TestSpecification): string {
  return relative(import.meta.dirname, moduleId)
}

for (const path of [...LONG_RUNS, ...LONGEST, ...ALONE]) {
  if (path.includes('*') || existsSync(join(import.meta.dirname, path))) continue
  throw new Error(`vitest.config.ts lists ${path}, which does not exist. Expected the path of a test file`)
}

/** Puts the files of a list first, in its order; the others keep theirs. */
function inOrderOf(paths: readonly string[], files: readonly TestSpecification[]): TestSpecification[] {
  const rankOf = (file: TestSpecification): number => {
    const rank = paths.indexOf(pathOf(file))
    return rank === -1 ? paths.length : rank
  }
  return files.toSorted((one, other) => rankOf(one) - rankOf(other))
}

// Programs that tests start, and the processes of the tests, find what Node compiled for those before them.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('.cache/compiled', import.meta.url))

export default defineConfig({
  test: {
    exclude: ['**/node_modules/**', ...LEFT_OUT],
    // Services that tests start beside each other must not ask for one port.
    env: { SWITCHYARD_METRICS_PORT: '0' },
    pool: 'forks',
    // Node loads the sources itself, as in production. Transforms of vite cost a tenth of the processor time of
    // the pure packages. Mocks of modules would need `nodeLoader`; no test has one.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    // Tests of one file that may run at once (`it.concurrent`) do so because they wait.
    maxConcurrency: 64,
    // Only what hangs may reach them: a machine that does other things as well makes a test several times as
    // long.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    teardownTimeout: 30_000,
    // A process that runs many files loads what they need once. Each file puts back what it changes in its
    // process.
    projects: [
      {
        extends: true,
        test: {
          name: 'services',
          include: SERVICES,
          exclude: [`shared/{${PURE}}/**`, ...ALONE],
          isolate: false,
          maxWorkers: WAITING_WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          exclude: [`shared/{${PURE}}/**`],
          maxWorkers: WAITING_WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: 'pure',
          include: [`shared/{${PURE}}/test/**/*.test.ts`],
          isolate: false,
          // They never wait, and each process more compiles the same functions once more. Beside the long runs,
          // which leave processors idle, they take part with the others.
          ...(full ? { maxWorkers: WAITING_WORKERS } : { maxWorkers: 2, sequence: { groupOrder: 1 } }),
        },
      },
    ],
  },
})
