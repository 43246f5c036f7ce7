/**
 * docs/history.md, followed to the letter on real processes: its commands are read from the page. The shop of
 * the page has a flag that was enabled and a schema that was changed.
 */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { natsServerAvailable, redisServerAvailable, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  type Constellation,
  type Finished,
  GRAPH,
  openShop,
  publishShop,
  startOnRealServers,
} from '../src/index.ts'

const page = readFileSync(new URL('../../../docs/history.md', import.meta.url), 'utf8')
const COMMANDS = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block = '']) =>
  block
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '')),
)

/** Words of a line, in which one in quotes may hold spaces. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

async function follow(system: Constellation, line: string): Promise<Finished> {
  const [program, ...words] = wordsOf(line)
  expect(program).toBe('switchyard')
  const done = await system.cli(...words)
  if (done.code !== 0) throw new Error(`${line}\n${done.stdout}\n${done.stderr}\n${system.report()}`)
  return done
}

async function revisionOf(system: Constellation): Promise<number> {
  const { stdout } = await system.cli('graph', 'get', GRAPH, '--json')
  return JSON.parse(stdout).result.revision
}

describe.skipIf(!natsServerAvailable() || !redisServerAvailable())(
  'the history of a graph on NATS and Redis',
  () => {
    it('says who did what and why, and what it changed, by the commands of the page', async () => {
      await using shop = await openShop()
      await using system = await startOnRealServers({ registries: 2 })
      await publishShop(system, shop)
      const file = (name: string, text: string) => writeFile(join(system.folder, name), text)
      await file('products.graphql', shop.catalogue.sdl.replace('price: Int!', 'price: Int! weight: Int'))
      await file('operations.graphql', 'query Prices { products { id price stockVariant } }\n')
      const printed = new Map<string, string>()
      for (const line of COMMANDS) {
        const before = await revisionOf(system)
        const { stdout } = await follow(system, line)
        printed.set(line, stdout)
        if (!/ (?:publish|enable|disable|rollback|release) /.test(line)) continue
        await waitFor(`a new revision after ${line}`, async () => (await revisionOf(system)) > before)
      }
      const history = [...printed].filter(([line]) => line.includes('config history')).map(([, text]) => text)
      expect(history.length).toBeGreaterThan(0)
      expect(history.join('\n')).toMatch(
        /\tschema of "catalogue" published\tbootstrap\tweights for the new app\t/,
      )
      const diffs = [...printed].filter(([line]) => line.includes('config diff')).map(([, text]) => text)
      expect(diffs.join('\n')).toContain("Field 'weight' was added to object type 'Product'")
      expect(diffs.join('\n')).toMatch(/Plans of 1 operation from operations\.graphql: \d unchanged/)
    })
  },
)
