import { describe, expect, it } from 'vitest'
import { checkDocuments } from '../../src/startup/commands/check-documents.ts'
import { buildArtifact } from '../support/artifacts.ts'
import { createManifestFolder } from '../support/manifests.ts'

const URLS = { products: 'http://127.0.0.1:9/', reviews: 'http://127.0.0.1:9/' }
const base = buildArtifact('base', URLS).artifact
const next = buildArtifact('next', URLS).artifact
const GRAPH = { formatVersion: 1, base, featureFlags: { beta: next, next, same: base } }

async function check(
  files: Readonly<Record<string, unknown>>,
  { manifests = ['m.json'], env = {}, json = false } = {},
) {
  await using folder = await createManifestFolder({
    'graph.json': GRAPH,
    'base.graphql': base.supergraphSdl,
    ...files,
  })
  const named = Object.entries({ SWITCHYARD_EXECUTION_CONFIG: 'graph.json', ...env }).map(
    ([name, file]: [string, string]) => [name, file === '' ? '' : folder.path(file)],
  )
  const printed = await checkDocuments(manifests.map(folder.path), Object.fromEntries(named), json)
  const text = `${printed.stdout}${printed.stderr}`
  return { exitCode: printed.exitCode, text: text.replaceAll(folder.path('x').slice(0, -1), '') }
}

describe('router check-documents', () => {
  it('is content where base and all flags can answer all documents', async () => {
    expect(await check({ 'm.json': { a: '{ version }', b: 'query B { topProducts { upc } }' } })).toEqual({
      exitCode: 0,
      text: 'base: 2 of 2 documents fit\nfeature flag "beta", "next": 2 of 2 documents fit\n',
    })
  })

  it('says which documents base or a flag cannot answer, and why', async () => {
    const { exitCode, text } = await check({
      'm.json': { a: '{ version }', d: 'query D { topProducts { discount } }' },
    })
    expect(exitCode).toBe(1)
    expect(text.split('\n')).toEqual([
      'base: 1 of 2 documents do not fit',
      expect.stringMatching(/^ {2}d \(D\): Cannot query field "discount" on type "Product"/),
      'feature flag "beta", "next": 2 of 2 documents fit',
      '',
    ])
    const json = await check({ 'm.json': { d: '{ topProducts { discount } }' } }, { json: true })
    expect(JSON.parse(json.text)).toMatchObject({
      ok: false,
      result: {
        documents: 1,
        compositions: [
          { featureFlags: null, unfit: [{ id: 'd', operation: null, reason: expect.any(String) }] },
          { featureFlags: ['beta', 'next'], unfit: [] },
        ],
      },
    })
  })

  it('checks a supergraph of any composer', async () => {
    const env = { SWITCHYARD_EXECUTION_CONFIG: '', SWITCHYARD_SUPERGRAPH: 'base.graphql' }
    const { exitCode, text } = await check({ 'm.json': { a: '{ version }' } }, { env })
    expect([exitCode, text]).toEqual([0, 'base: 1 of 1 documents fit\n'])
  })

  it('takes manifests and limits from a settings file', async () => {
    const settings = 'limits: { max_depth: 1 }\ndocuments: { mode: allow, manifests: [{ file: m.json }] }'
    const files = { 'm.json': { a: '{ topProducts { upc } }' }, 'router.yaml': settings }
    const { exitCode, text } = await check(files, {
      manifests: [],
      env: { SWITCHYARD_CONFIG: 'router.yaml' },
    })
    expect(exitCode).toBe(1)
    expect(text).toMatch(/^base: 1 of 1 documents do not fit\n {2}a: .*nests fields deeper/)
  })

  describe('with the documents that were published for the graph, as `config fetch` writes them', () => {
    const DISCOUNT = { d: 'query D { topProducts { discount } }' }
    const PUBLISHED = {
      'graph.json': { ...GRAPH, documents: [{ name: 'web', manifest: DISCOUNT }] },
      'm.json': { a: '{ version }' },
    }
    const SETTINGS = { env: { SWITCHYARD_CONFIG: 'router.yaml' }, manifests: [] }

    it('takes them where no manifests are named', async () => {
      const { exitCode, text } = await check(PUBLISHED, { manifests: [] })
      expect(exitCode).toBe(1)
      expect(text).toMatch(/^base: 1 of 1 documents do not fit\n {2}d \(D\): Cannot query field "discount"/)
      expect(await check(PUBLISHED)).toMatchObject({ exitCode: 0 })
    })

    it('takes them beside the files of settings that use them, and leaves them where these do not', async () => {
      const settings = (more: string) => ({
        ...PUBLISHED,
        'router.yaml': `documents: { mode: allow, manifests: [{ file: m.json }]${more} }`,
      })
      const both = await check(settings(', published: true'), SETTINGS)
      expect(both.text).toMatch(/^base: 1 of 2 documents do not fit\n/)
      const own = await check(settings(''), SETTINGS)
      expect(own).toMatchObject({ exitCode: 0, text: expect.stringMatching(/^base: 1 of 1 documents fit\n/) })
    })

    it('refuses one that a router could not use', async () => {
      const small = 'documents: { mode: allow, published: true, max_manifest_size: 1KiB }'
      const large = { d: `{ version } # ${'x'.repeat(2000)}` }
      const files = {
        'graph.json': { ...GRAPH, documents: [{ name: 'web', manifest: large }] },
        'router.yaml': small,
      }
      const { exitCode, text } = await check(files, SETTINGS)
      expect(exitCode).toBe(1)
      expect(text).toMatch(/A manifest cannot be used\. web cannot be unpacked .*max_manifest_size/)
    })
  })

  it.each<[string, Readonly<Record<string, unknown>>, Parameters<typeof check>[1], RegExp]>([
    [
      'a manifest that is wrong',
      { 'm.json': { a: '{' } },
      {},
      /A manifest cannot be used\. m\.json: "a" is no GraphQL/,
    ],
    ['no manifest', {}, { manifests: [] }, /There are no manifests/],
    ['no graph', { 'm.json': {} }, { env: { SWITCHYARD_EXECUTION_CONFIG: '' } }, /There is no graph/],
    ['a graph that is none', { 'm.json': {}, 'graph.json': '{}' }, {}, /graph\.json cannot be used/],
  ])('refuses %s', async (_, files, options, message) => {
    const { exitCode, text } = await check(files, options)
    expect(exitCode).toBe(1)
    expect(text).toMatch(message)
    const json = await check(files, { ...options, json: true })
    expect(JSON.parse(json.text)).toMatchObject({ ok: false })
  })
})
