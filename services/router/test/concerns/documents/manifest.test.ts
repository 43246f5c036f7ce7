import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DocumentLists } from '../../../src/concerns/documents/document-list.ts'
import { ManifestError, readManifest } from '@switchyard/documents'
import { apolloManifestOf, manifestOf, sha256 } from '../../support/manifests.ts'

const RUN = new RandomRun(import.meta.url, 500, 1500)
const TEXT = 'query Version { version }'
const OTHER = '{ version }'

const read = (manifest: unknown) =>
  readManifest(Buffer.from(typeof manifest === 'string' ? manifest : JSON.stringify(manifest)))

async function problemsOf(manifest: unknown): Promise<readonly string[]> {
  try {
    await read(manifest)
  } catch (error) {
    if (error instanceof ManifestError) return error.problems
    throw error
  }
  return []
}

describe('a manifest', () => {
  it.each([
    ['of Relay, by MD5', { '0e2e8f2cd1d0c2d5ad3b8e9b3a3b1c2d': TEXT }, '0e2e8f2cd1d0c2d5ad3b8e9b3a3b1c2d'],
    ['of Relay or GraphQL Code Generator, by SHA-256', manifestOf(TEXT), sha256(TEXT)],
    ['with the prefix of GraphQL over HTTP', { [`sha256:${sha256(TEXT)}`]: TEXT }, sha256(TEXT)],
    ['of Apollo', apolloManifestOf(TEXT), sha256(TEXT)],
    [
      'of Apollo with ids of its own',
      { ...apolloManifestOf(), operations: [{ id: 'a-1', name: 'Version', type: 'query', body: TEXT }] },
      'a-1',
    ],
  ])('%s is read', async (_, manifest, key) => {
    expect(await read(manifest)).toEqual([
      { key, text: TEXT, operationName: 'Version', normalHashes: expect.any(Array) },
    ])
  })

  it.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /^it is not JSON/],
    ['half of one', JSON.stringify(manifestOf(TEXT)).slice(0, -10), /^it is not JSON/],
    ['a list', [TEXT], /^expected a JSON object/],
    ['a text', '"a"', /^expected a JSON object/],
    ['another format', { format: 'other', version: 1, operations: [] }, /another format; expected apollo/],
    ['another version', { ...apolloManifestOf(TEXT), version: 2 }, /another format; expected apollo/],
    ['a document that is no text', { a: { text: TEXT } }, /^"a" has no text/],
    ['a document that is none', { a: 'query {' }, /^"a" is no GraphQL document \(Syntax Error/],
    ['a document with fragments only', { a: 'fragment F on Query { version }' }, /^"a" has no operation/],
    ['a document that is empty', { a: '' }, /^"a" is no GraphQL document/],
    ['a hash of another text', { [sha256(OTHER)]: TEXT }, /is not the SHA-256 of its text$/],
    ['such a hash with a prefix', { [`sha256:${sha256(OTHER)}`]: TEXT }, /is not the SHA-256 of its text$/],
    ['an empty identifier', { '': TEXT }, /^"" is no identifier/],
    ['an identifier with a space', { 'a b': TEXT }, /^"a b" is no identifier/],
    ['a long identifier', { ['x'.repeat(513)]: TEXT }, /is no identifier/],
    ['a long document', { a: `{ a${' '.repeat(200_000)} }` }, /more than the 200000 characters/],
    ['lists in lists', `{"a":${'['.repeat(100)}`, /deeper values/],
    ['nesting without end', { a: `{${'a{'.repeat(60_000)}` }, /no GraphQL document/],
    [
      'an operation without an id',
      { ...apolloManifestOf(), operations: [{ body: TEXT }, null] },
      /^An operation without an "id" is no identifier/,
    ],
    [
      'an operation of one client',
      { ...apolloManifestOf(), operations: [{ id: 'a', body: TEXT, clientName: 'web' }] },
      /a manifest for each client/,
    ],
  ])('with %s is refused', async (_, manifest, problem) => {
    const [first = ''] = await problemsOf(manifest)
    expect(first).toMatch(problem)
  })

  it('with many problems says ten of them', async () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`d${index}`, '{']))
    const problems = await problemsOf(many)
    expect(problems).toHaveLength(11)
    expect(problems.at(-1)).toBe('and 30 more problems')
  })

  it('is documents or a list of problems, whatever it holds', async () => {
    const text = fc.oneof(fc.constantFrom(TEXT, OTHER, '', '{', '# no', '{a}'), fc.string())
    const operation = fc.record({ id: fc.oneof(text, fc.anything()), body: fc.oneof(text, fc.anything()) })
    const manifest = fc.oneof(
      fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', sha256(TEXT))), text),
      fc.record({
        format: fc.constantFrom('apollo-persisted-query-manifest', 'x'),
        version: fc.constantFrom(1, 2),
        operations: fc.oneof(fc.array(operation), fc.anything()),
      }),
      fc.json(),
      fc.string(),
    )
    await fc.assert(
      fc.asyncProperty(manifest, async (one) => {
        for (const problem of await problemsOf(one)) expect(problem.length).toBeLessThan(700)
      }),
      RUN.parameters,
    )
  })
})

describe('several manifests', () => {
  const manifest = async (documents: unknown, clients: readonly string[] | null = null) => ({
    name: 'm.json',
    clients,
    documents: await read(documents),
  })

  it('give each client the documents for all and its own', async () => {
    const lists = await DocumentLists.of(
      [
        await manifest({ a: '{ web }' }, ['web']),
        await manifest({ b: '{ all }' }),
        await manifest({ a: '{ ios }' }, ['ios']),
      ],
      1,
    )
    const textsOf = (client: string) => ['a', 'b'].map((key) => lists.of(client).withKey(key)?.text)
    expect(textsOf('web')).toEqual(['{ web }', '{ all }'])
    expect(textsOf('ios')).toEqual(['{ ios }', '{ all }'])
    expect(textsOf('')).toEqual([undefined, '{ all }'])
    expect(lists.of('web').withText('{ios}')).toBeNull()
    expect(lists.of('ios').withText('{ios}')?.key).toBe('a')
    const scopes = ['web', 'ios', '', 'other'].map((client) => lists.of(client).scope)
    expect(new Set(scopes).size).toBe(3)
    expect(scopes[2]).toBe(scopes[3])
  })

  it.each<[string, readonly string[] | null, readonly string[] | null]>([
    ['for all', null, null],
    ['for one client and for all', ['web'], null],
    ['for the same client', ['web'], ['ios', 'web']],
  ])('may not give one identifier two texts: %s', async (_, one, other) => {
    const manifests = [await manifest({ a: '{ x }' }, one), await manifest({ a: '{ y }' }, other)]
    await expect(DocumentLists.of(manifests, 1)).rejects.toMatchObject({
      problems: ['m.json: "a" stands for another text in a manifest for the same client'],
    })
  })

  it('may have the same document', async () => {
    const same = [await manifest({ a: '{ x }' }), await manifest({ a: '{ x }' }, ['web'])]
    expect((await DocumentLists.of(same, 1)).of('web').withKey('a')?.text).toBe('{ x }')
  })
})

describe('a document of a list', () => {
  it.each([
    ['itself', TEXT, true],
    ['with other white space', 'query   Version{version}\n', true],
    ['with a comment and commas', 'query Version { # which\n version, }', true],
    ['printed', 'query Version {\n  version\n}', true],
    ['under another name', 'query Other { version }', false],
    ['with a field more', 'query Version { version fails }', false],
    ['with an alias', 'query Version { a: version }', false],
    ['with something behind it', `${TEXT} query Other { fails }`, false],
    ['that is no document', 'query Version { version', false],
    ['with other text in a string', 'query Version { header(name: "a b") }', false],
  ])('is found by its text, %s: %s', async (_, text, isFound) => {
    const documents = await read({ ...manifestOf(TEXT), s: 'query Version { header(name: "a  b") }' })
    const lists = await DocumentLists.of([{ name: 'm.json', clients: null, documents }], 1)
    expect(lists.of('').withText(text)?.text ?? null).toBe(isFound ? TEXT : null)
    // The second look is answered by what is remembered of the first.
    expect(lists.of('').withText(text)?.text ?? null).toBe(isFound ? TEXT : null)
  })
})
