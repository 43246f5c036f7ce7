/** What a start costs, counted in modules and threads, since times and memory depend on the machine. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { listeningAt, runRouterMain } from '../support/router-main.ts'

/** In a bundle, modules cannot be counted. */
const SOURCE = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
/** Writes the address of every module that is loaded to stderr, and the thread that loads it. */
const LOG_MODULES = `import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'
import { writeSync } from 'node:fs'
registerHooks({ load(url, context, next) {
  writeSync(2, (isMainThread ? 'loaded ' : 'loaded in a thread ') + url + '\\n')
  return next(url, context)
} })`
const PREFACE = `schema @link(url: "https://specs.apollo.dev/link/v1.0")
    @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) { query: Query }
  enum join__Graph { A @join__graph(name: "a", url: "http://127.0.0.1:1/") }`

/** Everything that a router loads until it serves `supergraph`. */
async function loadedFor(supergraph: string): Promise<readonly string[]> {
  await using directory = await temporaryDirectory()
  const folder = directory.path
  await writeFile(join(folder, 'supergraph.graphql'), supergraph)
  await writeFile(join(folder, 'log-modules.mjs'), LOG_MODULES)
  const router = runRouterMain(
    {
      SWITCHYARD_SUPERGRAPH: 'supergraph.graphql',
      SWITCHYARD_PORT: '0',
      NODE_OPTIONS: `--import=${join(folder, 'log-modules.mjs')}`,
    },
    folder,
    [],
    SOURCE,
  )
  using _ended = { [Symbol.dispose]: () => void router.child.kill('SIGKILL') }
  await listeningAt(router)
  router.child.kill('SIGTERM')
  expect(await router.exit).toEqual([0, null])
  return router.errors.text.split('\n').filter((line) => line.startsWith('loaded'))
}

function among(lines: readonly string[], part: RegExp): readonly string[] {
  return lines.filter((line) => part.test(line))
}

it('a router that serves a small file of plain HTTP subgraphs loads only what it needs, and no thread', async () => {
  const loaded = await loadedFor(`${PREFACE} type Query { a: Int }`)
  expect(among(loaded, /\/services\/router\/src\//).length).toBeGreaterThan(100)
  expect(among(loaded, /\/node_modules\/(?:ioredis|@nats-io|@opentelemetry\/(?!api)|undici|jose)\//)).toEqual(
    [],
  )
  expect(among(loaded, /in a thread/)).toEqual([])
})

it('a router compiles a large file in a thread', async () => {
  const types = Array.from({ length: 2000 }, (_, index) => `type T${index} { a: Int b: String }`)
  const loaded = await loadedFor(`${PREFACE} type Query { a: Int } ${types.join('\n')}`)
  expect(among(loaded, /in a thread .*\/compile-worker\.ts$/)).toHaveLength(1)
})
