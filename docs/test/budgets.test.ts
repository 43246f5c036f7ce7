/**
 * A folder of sources has at most 25 files of its own, so that a newcomer can read its list at one glance. A
 * class has at most 200 lines and 6 fields that are not `readonly`, so that a reader can keep in mind which
 * states its objects can be in.
 *
 * The lint holds functions to 60 lines (`max-lines-per-function` in .oxlintrc.json, with the files that have
 * longer ones).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './pages/commands.ts'

const MOST_FILES = 25

/** Folders that have more. One that has fewer leaves the list, and none is added. */
const NOT_YET: readonly string[] = [
  // One value a file, each a test case of the corpus.
  'shared/corpus/src/suites',
]

type Folder = { readonly path: string; readonly files: number }

function foldersBelow(path: string): readonly Folder[] {
  const entries = readdirSync(join(ROOT, path), { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts')).length
  const below = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
  return [{ path, files }, ...below.flatMap(({ name }) => foldersBelow(`${path}/${name}`))]
}

const SOURCES = ['services', 'shared', 'infra'].flatMap((group) =>
  readdirSync(join(ROOT, group))
    .map((name) => `${group}/${name}/src`)
    .filter((path) => readdirSync(join(ROOT, path, '..')).includes('src')),
)

it('no folder of sources has more than 25 files of its own, but for those that are listed', () => {
  const folders = SOURCES.flatMap(foldersBelow)
  expect(folders.length).toBeGreaterThan(100)
  const full = folders.filter(({ files }) => files > MOST_FILES)
  expect(full.map(({ path }) => path).toSorted()).toEqual(NOT_YET)
})

const MOST_LINES = 200
const MOST_FIELDS = 6

/**
 * Classes that have more, and how much at most. One that gets within the budget leaves the list, and none is
 * added.
 */
const LARGE_CLASSES: Readonly<Record<string, { readonly lines?: number; readonly fields?: number }>> = {
  'infra/bench/src/call.ts Call': { fields: 7 },
  'services/composer/src/graph-composer.ts GraphComposer': { lines: 228, fields: 7 },
  'services/config-distribution/src/graph-distributor.ts GraphDistributor': { fields: 7 },
  'services/router/src/generations/follow/config-follower.ts ConfigFollower': { lines: 249, fields: 8 },
  'services/router/src/listen/http2-messages.ts WholeResponse': { fields: 9 },
  'services/router/src/listen/traffic.ts Traffic': { fields: 7 },
  'services/router/src/listen/watched-response.ts WatchedResponse': { fields: 8 },
  'services/router/src/request/exchange.ts Exchange': { fields: 8 },
  'services/router/src/call/in-flight/call-in-flight.ts CallInFlight': { lines: 271, fields: 14 },
  'services/router/src/transport/http1/chunked-body.ts ChunkedBody': { fields: 7 },
  'services/router/src/transport/http1/connection.ts Connection': { fields: 9 },
  'services/router/src/transport/http1/exchange.ts Http1Call': { fields: 7 },
  'services/router/src/transport/http2/http2-connection.ts Http2Connection': { lines: 264, fields: 13 },
  'services/router/src/call/policies/retry/retried-call.ts RetriedCall': { fields: 7 },
  'services/router/src/tracing/cleaning/redact-trace.ts Redaction': { lines: 372 },
  'services/router/src/workers/primary-channel.ts PrimaryChannel': { fields: 7 },
  'services/router/src/workers/worker-pool.ts WorkerPool': { lines: 267 },
  'services/router/src/workers/worker.ts WorkerProcess': { fields: 9 },
  'shared/corpus/src/generated/world.ts WorldBuilder': { lines: 255 },
  'shared/corpus/src/naive/naive-planner.ts NaivePlanner': { lines: 264 },
  'shared/engine/src/cost/plan-costs.ts PlanCosts': { fields: 7 },
  'shared/engine/src/execution/completion/frame.ts Frame': { fields: 13 },
  'shared/engine/src/execution/completion/value-completion.ts ValueCompletion': { lines: 267 },
  'shared/engine/src/execution/errors/error-paths.ts ErrorPaths': { lines: 213 },
  'shared/engine/src/execution/execute-incrementally.ts IncrementalRun': { lines: 238 },
  'shared/engine/src/execution/fetching/fetching.ts Fetching': { lines: 296 },
  'shared/engine/src/execution/generated/completion-code.ts CompletionCode': { lines: 201 },
  'shared/engine/src/execution/incremental/group-errors.ts GroupErrors': { lines: 224 },
  'shared/engine/src/execution/incremental/group-objects.ts Level': { fields: 8 },
  'shared/engine/src/execution/incremental/group-progress.ts GroupProgress': { lines: 261 },
  'shared/engine/src/execution/incremental/record-delivered.ts Level': { fields: 9 },
  'shared/engine/src/execution/joining/occurrences.ts Occurrences': { lines: 219 },
  'shared/engine/src/json/read-json-in-turns.ts JsonReader': { lines: 218, fields: 7 },
  'shared/engine/src/operation/normalise/normalise-fields.ts Normaliser': { lines: 285 },
  'shared/engine/src/plan/build/builder.ts Builder': { lines: 233 },
  'shared/engine/src/plan/search/entry-points.ts EntryPoints': { lines: 205 },
  'shared/testkit/src/incremental/stream-protocol.ts StreamProtocol': { lines: 236 },
}

type Class = {
  readonly path: string
  readonly name: string
  readonly lines: number
  /** Fields that are not `readonly`. */
  readonly fields: number
}

/** Returns the classes of a source whose lines are indented as the formatter does. */
function classesIn(path: string, source: string): readonly Class[] {
  return [
    ...source.matchAll(/^( *)(?:export |return )?(?:abstract )?class (\w+)(?:[^\n]*\{\}$|[^]*?^\1\})/gm),
  ].map(({ 0: text, 1: indent = '', 2: name = '' }) => ({
    path,
    name,
    lines: text.split('\n').length,
    fields: text
      .split('\n')
      .filter((line) => line.startsWith(`${indent}  `) && FIELD.test(line.slice(indent.length))).length,
  }))
}

const FIELD = /^ {2}(?:(?:static|override|private|protected|public) )*#?[a-zA-Z]\w*[?!]?(?:: | =|$)/

function sourcesBelow(path: string): readonly string[] {
  const entries = readdirSync(join(ROOT, path), { withFileTypes: true })
  return entries.flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sourcesBelow(`${path}/${entry.name}`)
    return entry.name.endsWith('.ts') ? [`${path}/${entry.name}`] : []
  })
}

/** Returns what is wrong with the sizes of classes. `listed` are those that may be larger. */
function problemsOf(classes: readonly Class[], listed: typeof LARGE_CLASSES): readonly string[] {
  const found = classes.flatMap(({ path, name, lines, fields }) => {
    const most = listed[`${path} ${name}`] ?? {}
    return [
      ...(lines > (most.lines ?? MOST_LINES) ? [`${path} ${name} has ${lines} lines`] : []),
      ...(fields > (most.fields ?? MOST_FIELDS) ? [`${path} ${name} has ${fields} mutable fields`] : []),
    ]
  })
  const large = new Set(
    classes
      .filter(({ lines, fields }) => lines > MOST_LINES || fields > MOST_FIELDS)
      .map(({ path, name }) => `${path} ${name}`),
  )
  const small = Object.keys(listed).filter((name) => !large.has(name))
  return [...found, ...small.map((name) => `${name} is within the budget: take it off the list`)]
}

it('no class has more than 200 lines or 6 mutable fields, but for those that are listed', () => {
  const classes = SOURCES.flatMap(sourcesBelow).flatMap((path) =>
    classesIn(path, readFileSync(join(ROOT, path), 'utf8')),
  )
  expect(classes.length).toBeGreaterThan(500)
  expect(problemsOf(classes, LARGE_CLASSES)).toEqual([])
})

it('finds classes that are too large, larger than listed, or listed without need', () => {
  const fields = Array.from({ length: 7 }, (_, index) => `  #field${index} = 0`)
  const lines = Array.from({ length: 199 }, () => '  run(): void {}')
  const source = [
    'export class Stateful {',
    '  readonly #names = new Set<string>()',
    ...fields,
    '}',
    'abstract class Long {',
    ...lines,
    '}',
    'export class Small {}',
    'class Fine {',
    ...lines.slice(1),
    '}',
  ].join('\n')
  const classes = classesIn('a.ts', source)
  expect(classes.map(({ name }) => name)).toEqual(['Stateful', 'Long', 'Small', 'Fine'])
  expect(problemsOf(classes, {})).toEqual(['a.ts Stateful has 7 mutable fields', 'a.ts Long has 201 lines'])
  const listed = { 'a.ts Stateful': { fields: 8 }, 'a.ts Long': { lines: 200 }, 'a.ts Fine': { lines: 210 } }
  expect(problemsOf(classes, listed)).toEqual([
    'a.ts Long has 201 lines',
    'a.ts Fine is within the budget: take it off the list',
  ])
})
