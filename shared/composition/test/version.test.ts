/**
 * The version of the composer changes whenever the text of a supergraph does. texts.json has the version, and
 * a hash of what each set composes to; `WRITE_TEXTS=1` writes it anew.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { COMPOSER_VERSION } from '@switchyard/composition'
import { expect, it } from 'vitest'
import { SETS } from './sets/index.ts'
import { composeSdls } from './subgraph-fixtures.ts'

const FILE = new URL('texts.json', import.meta.url)

it('the version is raised when what a set composes to changes', () => {
  const written = JSON.parse(readFileSync(FILE, 'utf8')) as Texts
  const texts = { version: COMPOSER_VERSION, hashes: hashesOfSets() }
  const changed = Object.entries(texts.hashes).filter(
    ([name, hash]) => (written.hashes[name] ?? hash) !== hash,
  )
  if (written.version === COMPOSER_VERSION) expect(changed.map(([name]) => name)).toEqual([])
  if (process.env['WRITE_TEXTS'] === '1') writeFileSync(FILE, `${JSON.stringify(texts, null, 2)}\n`)
  else expect(written).toEqual(texts)
})

type Texts = { readonly version: string; readonly hashes: Readonly<Record<string, string>> }

function hashesOfSets(): Texts['hashes'] {
  return Object.fromEntries(
    Object.values(SETS)
      .flat()
      .flatMap(({ name, subgraphs }) => {
        const result = composeSdls(subgraphs)
        if (result.kind === 'failed') return []
        const hash = createHash('sha256').update(result.supergraphSdl).digest('hex')
        return [[name, hash.slice(0, 12)]]
      }),
  )
}
