/**
 * docs/limitations.md and docs/supergraphs.md say of schemas what composition does, and of the rest what can
 * be looked up.
 */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { RouterSettings } from '../../services/router/src/config/settings.ts'
import {
  compose,
  DIRECTIVES_WITHOUT_EFFECT,
  FEDERATION_VERSIONS,
  REFUSED_DIRECTIVES,
} from '../../shared/composition/src/index.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const limitations = read('../limitations.md')
const supergraphs = read('../supergraphs.md')
const errors = read('../errors.md')

/** Directives in the first cells of the rows that `pattern` matches. */
function directivesIn(page: string, pattern: RegExp): readonly string[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| `@') && pattern.test(line))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`@(\w+)`/g)].map(([, name = '']) => name))
    .sort()
}

const refused = [...REFUSED_DIRECTIVES.keys()].sort()
const hinted = [...DIRECTIVES_WITHOUT_EFFECT.keys()].sort()

/** A schema that applies the directive where its specification allows it. */
const APPLIED: Readonly<Record<string, string>> = {
  context: 'type Query { t: T } type T @context(name: "c") { x: Int }',
  fromContext: 'type Query { t(a: Int @fromContext(field: "$c { x }")): Int }',
  connect: 'type Query { x: Int @connect(selection: "x") }',
  source: 'extend schema @source(name: "s") type Query { x: Int }',
  cost: 'type Query { x: Int @cost(weight: 1) }',
  listSize: 'type Query { x: [Int] @listSize(assumedSize: 1) }',
  cacheTag: 'type Query { x: Int @cacheTag(format: "x") }',
}

function composeWith(directive: string) {
  const imports = (names: readonly string[]) => `import: [${names.map((name) => `"@${name}"`).join(', ')}]`
  const isConnector = directive === 'connect' || directive === 'source'
  const links = `@link(url: "https://specs.apollo.dev/federation/${FEDERATION_VERSIONS.at(-1)}", ${imports(isConnector ? ['key'] : [directive])}) ${
    isConnector ? `@link(url: "https://specs.apollo.dev/connect/v0.4", ${imports([directive])})` : ''
  }`
  const sdl = `extend schema ${links} ${APPLIED[directive] ?? ''}`
  return compose({ subgraphs: [{ name: 'a', routingUrl: 'http://a/', sdl }] })
}

describe('docs/limitations.md', () => {
  it('lists as refused what composition refuses, and as hinted at what it hints at, as docs/supergraphs.md does', () => {
    expect(directivesIn(limitations, /\*\*refused\*\*/)).toEqual(refused)
    expect(directivesIn(limitations, /\*\*hint\*\*/)).toEqual(hinted)
    expect(directivesIn(supergraphs, /\| refuses \|/)).toEqual(refused)
    expect(directivesIn(supergraphs, /\| hint \|/)).toEqual(hinted)
  })

  it.each(refused)('says so of @%s with reason', (directive) => {
    const result = composeWith(directive)
    const codes = result.kind === 'failed' ? result.errors.map(({ code }) => code) : []
    expect(new Set(codes)).toEqual(new Set(['UNSUPPORTED_DIRECTIVE']))
  })

  it.each(hinted)('says so of @%s with reason', (directive) => {
    expect(composeWith(directive)).toMatchObject({
      kind: 'composed',
      hints: [{ code: 'DIRECTIVE_WITHOUT_EFFECT' }],
    })
  })

  it('names the versions of federation that are accepted, as the other pages do', () => {
    const span = `v2.0 to ${FEDERATION_VERSIONS.at(-1)}`
    expect(FEDERATION_VERSIONS[0]).toBe('v2.0')
    for (const page of [limitations, supergraphs, errors]) expect(page).toContain(span)
  })

  it('names codes and settings that exist, and links pages that exist', () => {
    const explained = new Set([...errors.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, code]) => code))
    const codes = [...limitations.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)]
      .map(([, code = '']) => code)
      .filter((code) => !code.startsWith('NODE_'))
    expect(codes.length).toBeGreaterThan(8)
    expect(codes.filter((code) => !explained.has(code))).toEqual([])
    const settings = [...limitations.matchAll(/`([a-z]+)\.([a-z_]+)`/g)].filter(
      ([, section]) => section !== 'graphql',
    )
    expect(settings.length).toBeGreaterThan(1)
    const known: Readonly<Record<string, unknown>> = RouterSettings.parse({})
    for (const [text, section = '', key = ''] of settings) expect(known[section], text).toHaveProperty(key)
    const linked = [...limitations.matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => path)
    for (const path of linked) expect(existsSync(new URL(`../${path}`, import.meta.url)), path).toBe(true)
  })

  it('names every code that says that something is not done', () => {
    const codes = [
      ...errors.matchAll(
        /^\| `(\w+_NOT_(?:SUPPORTED|SERVED|ENFORCED)|UNSUPPORTED_DIRECTIVE|\w+_WITHOUT_EFFECT)` \|/gm,
      ),
    ]
    expect(codes.length).toBeGreaterThan(5)
    expect(codes.map(([, code = '']) => code).filter((code) => !limitations.includes(`\`${code}\``))).toEqual(
      [],
    )
  })

  it('stops being true when the chart brings servers along, or there is OTLP over gRPC or for logs', () => {
    expect(read('../../infra/helm/switchyard/Chart.yaml')).not.toMatch(/^dependencies:/m)
    expect(read('../../pnpm-workspace.yaml')).not.toMatch(
      /@opentelemetry\/(?:exporter-\w+-otlp-grpc|exporter-logs|sdk-node)/,
    )
  })
})
