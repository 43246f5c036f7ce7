/**
 * Which file may import which, in the whole workspace. `make lint` checks it with dependency-cruiser, types
 * included.
 *
 * A ladder lists places – files, or folders with everything below them – from the bottom to the top. A place
 * may import itself and the rungs below it. Places on one rung do not import each other. So no two places
 * depend on each other, and a reader who knows the rungs below a place knows everything that it is built on.
 */
import type { IConfiguration, IForbiddenRuleType } from 'dependency-cruiser'

type Ladder = {
  /** The folder whose places these are. */
  readonly folder: string
  /** The places, as paths from the folder; the bottom rung comes first. */
  readonly rungs: readonly (readonly string[])[]
}

const ENGINE: Ladder = {
  folder: 'shared/engine/src/',
  rungs: [
    ['ids/', 'work/'],
    ['json/'],
    ['graph/'],
    ['operation/'],
    ['plan/'],
    ['caching/', 'cost/', 'introspection/'],
    ['execution/'],
    ['index.ts'],
  ],
}

const PLAN: Ladder = {
  folder: 'shared/engine/src/plan/',
  rungs: [['contract/'], ['search/'], ['document/', 'print/'], ['build/'], ['plan-operation.ts']],
}

const EXECUTION: Ladder = {
  folder: 'shared/engine/src/execution/',
  rungs: [
    ['contract/'],
    ['joining/'],
    ['fetching/', 'completion/'],
    ['generated/'],
    ['errors/'],
    ['incremental/'],
    ['execute.ts'],
    ['execute-incrementally.ts', 'execute-event.ts'],
  ],
}

const ROUTER: Ladder = {
  folder: 'services/router/src/',
  rungs: [
    ['addresses/', 'errors/', 'flags/', 'identity/', 'memory/', 'stores/'],
    ['settings/', 'observe/'],
    ['headers/'],
    ['certificates/', 'fairness/', 'http/'],
    ['request/'],
    ['subscriptions/upstream/settings.ts', 'subscriptions/sockets/settings.ts', 'brokers/settings.ts'],
    ['subscriptions/settings.ts'],
    ['concerns/'],
    ['operation/', 'transport/'],
    ['planning/'],
    ['call/'],
    ['brokers/'],
    ['generations/'],
    ['listen/'],
    ['subscriptions/'],
    ['subscriptions/'],
    ['incremental/', 'tracing/'],
    ['config/'],
    ['shadows/'],
    ['pipeline/'],
    ['startup/'],
    ['workers/'],
    ['main.ts'],
  ],
}

const PACKAGES: Ladder = {
  folder: '',
  rungs: [
    sourcesIn('shared', 'built-page', 'event-streams', 'files', 'values'),
    sourcesIn('shared', 'guards'),
    sourcesIn('shared', 'contracts', 'engine', 'incremental-delivery', 'request-trace', 'worker-host'),
    sourcesIn('shared', 'rollouts', 'testkit'),
    sourcesIn('shared', 'composition', 'domain', 'samples', 'second-opinion', 'service-kit', 'trace-viewer'),
    sourcesIn('shared', 'operation-views'),
    sourcesIn('shared', 'config-store', 'corpus', 'documents', 'event-log', 'playground', 'studio'),
    sourcesIn('shared', 'schema-checks'),
    sourcesIn('services', 'cli', 'composer', 'config-distribution', 'registry', 'router'),
    sourcesIn('services', 'standalone'),
    ['infra/'],
  ],
}

const FOR_TESTS = '^shared/(corpus|testkit)/'

const OTHERS: readonly IForbiddenRuleType[] = [
  {
    name: 'no-cycles',
    comment: 'Files that import each other in a circle can only be understood all at once.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-paths-into-other-packages',
    comment: 'What a package offers to others is in the exports of its package.json, and has a name there.',
    severity: 'error',
    from: { path: '^((?:services|shared|infra)/[^/]+)/' },
    to: {
      path: '^(services|shared|infra)/[^/]+/',
      pathNot: ['^$1/'],
      dependencyTypes: ['local'],
    },
  },
  {
    name: 'no-concern-imports-another',
    comment: 'What two concerns share goes a rung down, so that each can be read, changed and removed alone.',
    severity: 'error',
    from: { path: '^services/router/src/concerns/([^/]+)/' },
    to: { path: '^services/router/src/concerns/', pathNot: '^services/router/src/concerns/$1/' },
  },
  {
    name: 'composition-uses-the-graph-alone',
    comment:
      'What can be reached is judged over nodes and edges; how an operation is planned has no part in it.',
    severity: 'error',
    from: { path: '^shared/composition/src/' },
    to: { path: '^shared/engine/src/', pathNot: '^shared/engine/src/graph/' },
  },
  {
    name: 'only-tests-import-what-is-made-for-tests',
    comment: 'Packages that serve tests have no part in what users run.',
    severity: 'error',
    from: { path: '^(services|shared)/[^/]+/src/', pathNot: FOR_TESTS },
    to: { path: FOR_TESTS },
  },
]

const config: IConfiguration = {
  forbidden: [...[PACKAGES, ENGINE, PLAN, EXECUTION, ROUTER].flatMap(rulesOfLadder), ...OTHERS],
  options: {
    parser: 'tsc',
    tsPreCompilationDeps: true,
    exclude: { path: ['node_modules/', '^shared/(playground|studio)/dist/'] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['node', 'import', 'types'] },
  },
}
export default config

function sourcesIn(folder: string, ...packages: readonly string[]): readonly string[] {
  return packages.map((name) => `${folder}/${name}/src/`)
}

/** A rule for each place, and one that finds files without a place. */
function rulesOfLadder({ folder, rungs }: Ladder): readonly IForbiddenRuleType[] {
  const within = folder === '' ? '^(services|shared|infra)/[^/]+/src/' : `^${folder}`
  const pattern = (place: string): string => `^${folder}${place.replaceAll('.', '\\.')}`
  const placed = rungs.flatMap((rung, height) => {
    const below = rungs.slice(0, height).flat()
    return rung.map((place): IForbiddenRuleType => {
      const allowed = [place, ...below]
      return {
        name: `${folder}${place}`,
        comment: `It may import itself and what is below it: ${below.join(', ') || 'nothing'}.`,
        severity: 'error',
        from: { path: pattern(place) },
        to: { path: within, pathNot: allowed.map(pattern) },
      }
    })
  })
  const unplaced: IForbiddenRuleType = {
    name: 'every-file-has-a-place',
    comment:
      'The file has no place in dependency-cruiser.config.ts yet. Expected its folder on a rung there.',
    severity: 'error',
    from: { path: within, pathNot: rungs.flat().map(pattern) },
    to: {},
  }
  return [...placed, unplaced]
}
