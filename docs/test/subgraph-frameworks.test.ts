/**
 * docs/subgraph-frameworks.md shows what is tested: its code is that of the subgraphs, its table what the
 * long tests hold them to.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FRAMEWORK_FACTS } from '../../infra/frameworks/src/framework-facts.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = read('docs/subgraph-frameworks.md')

describe('docs/subgraph-frameworks.md', () => {
  const snippets = [...page.matchAll(/^From `([^`]+)`:\n\n```\w+\n([^]*?)^```$/gm)]

  it('shows code of every framework', () => {
    const folders = new Set(snippets.map(([, path = '']) => path.split('/')[4]))
    expect([...folders].sort()).toEqual([
      'apollo-server',
      'async-graphql',
      'gqlgen',
      'mercurius',
      'strawberry',
      'yoga-pothos',
    ])
  })

  it.each(snippets.map(([, path = '', code = '']) => ({ path, code })))(
    'shows code that is in $path',
    ({ path, code }) => {
      expect(read(path)).toContain(code)
    },
  )

  it('lists what frameworks do on the wire', () => {
    const rows = [...page.matchAll(/^\| ([^|]+) \| [^|]+ \| ([^|]+) \| ([^|]+) \| (\d+) \|$/gm)].map(
      ([, framework, version, mediaType, status]) => ({ framework, version, mediaType, status }),
    )
    const facts = Object.values(FRAMEWORK_FACTS).map((one) => ({
      framework: one.framework,
      version:
        one.federationVersion === null
          ? 'none: Federation 1'
          : `${one.federationVersion}, ${one.versionIs === 'the default' ? 'its default' : 'written in the schema'}`,
      mediaType: `\`${one.mediaType}\``,
      status: String(one.invalidStatus),
    }))
    expect(rows).toEqual(facts)
  })

  it('names the versions that are installed', () => {
    const pinned = [
      ...read('pnpm-workspace.yaml').matchAll(/^ {2,4}'?(@?[\w/-]+)'?: (\d+\.\d+\.\d+)$/gm),
      ...read('infra/frameworks/src/subgraphs/strawberry/requirements.txt').matchAll(/^([\w-]+)==(\S+) /gm),
      ...read('infra/frameworks/src/subgraphs/gqlgen/go.mod').matchAll(/^\t(\S+) (v\S+)$/gm),
    ]
    const versions = new Map(pinned.map(([, name, version]) => [name, version]))
    const named = [...page.matchAll(/`([^`]+)` (v?\d+\.\d+\.\d+)(?=,| \|)/g)]
    expect(named.length).toBeGreaterThan(7)
    for (const [, name, version] of named) expect([name, version]).toEqual([name, versions.get(name)])
  })
})
