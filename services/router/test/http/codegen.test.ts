/**
 * GraphQL Code Generator reads the schema of a running router by introspection, and makes types of
 * operations.
 */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { codegen } from '@graphql-codegen/core'
import * as typescript from '@graphql-codegen/typescript'
import * as operations from '@graphql-codegen/typescript-operations'
import { UrlLoader } from '@graphql-tools/url-loader'
import { temporaryDirectory } from '@switchyard/testkit'
import {
  buildSchema,
  GraphQLSchema,
  lexicographicSortSchema,
  parse,
  printSchema,
  specifiedDirectives,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestRouter } from '../support/router.ts'
import { startShopRouter } from '../support/shop-router.ts'

const stack = new AsyncDisposableStack()
let router: TestRouter

beforeAll(async () => {
  ;({ router } = stack.use(await startShopRouter({ settings: 'engine: { enable_defer: true }' })))
})
afterAll(() => stack.disposeAsync())

const DOCUMENT = `
  query Top($first: Int) {
    topProducts(first: $first) {
      upc
      name
      ... @defer(label: "reviews") { reviews { body } }
    }
  }
  mutation Rename($upc: ID!, $name: String!) { rename(upc: $upc, name: $name) { name } }
`

/** What the configuration `schema: <url of the router>` of the generator does. */
async function schemaOf(url: string, method: 'GET' | 'POST'): Promise<GraphQLSchema> {
  const [source] = await new UrlLoader().load(url, { method })
  if (source?.schema === undefined) throw new Error('The router gave no schema')
  return source.schema
}

function generate(schema: GraphQLSchema): Promise<string> {
  return codegen({
    schema: parse(printSchema(schema)),
    documents: [{ location: 'top.graphql', document: parse(DOCUMENT) }],
    filename: 'types.ts',
    config: {},
    plugins: [{ typescript: {} }, { operations: {} }],
    pluginMap: { typescript, operations },
  })
}

/** The messages of the compiler. */
async function compile(directory: string, files: Readonly<Record<string, string>>): Promise<string> {
  const paths = Object.keys(files).map((name) => join(directory, name))
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--allowImportingTsExtensions',
    '--module',
    'nodenext',
  ]
  const run = promisify(execFile)(process.execPath, [compiler, ...options, ...paths])
  return await run.then(
    ({ stdout }) => stdout,
    (error: { readonly stdout: string }) => error.stdout,
  )
}

describe('GraphQL Code Generator', () => {
  it.each(['POST', 'GET'] as const)(
    'reads the API schema of the router by introspection with %s',
    async (method) => {
      const schema = await schemaOf(router.graphqlUrl, method)
      const expected = lexicographicSortSchema(
        buildSchema(`
        type Query {
          topProducts(first: Int = 2): [Product!]!
          product(upc: ID!): Product
          header(name: String!): String
          slow(milliseconds: Int!): String
          fails: String
          version: String!
          reviewHeader(name: String!): String
        }
        type Mutation { rename(upc: ID!, name: String!): Product }
        type Product { upc: ID! name: String! price: Int reviews: [Review!]! }
        type Review { id: ID! body: String! }
      `),
      )
      const types = new GraphQLSchema({ ...schema.toConfig(), directives: specifiedDirectives })
      expect(printSchema(lexicographicSortSchema(types))).toBe(printSchema(expected))
      expect(schema.getDirective('defer')?.args.map(({ name }) => name)).toEqual(['if', 'label'])
    },
  )

  it('makes types that the compiler holds an answer to', async () => {
    await using directory = await temporaryDirectory()
    const types = await generate(await schemaOf(router.graphqlUrl, 'POST'))
    const use = (answer: string) => `
      import type { TopQuery, RenameMutationVariables } from './types.ts'
      export const variables: RenameMutationVariables = { upc: '1', name: 'Desk' }
      export const answer: TopQuery = ${answer}
    `
    const right = `{ topProducts: [{ upc: '1', name: 'Table', reviews: [{ body: 'Good' }] }] }`
    const wrong = `{ topProducts: [{ upc: '1', name: 7 }] }`
    const messages = await compile(directory.path, {
      'types.ts': types,
      'right.ts': use(right),
      'wrong.ts': use(wrong),
    })
    expect(messages).toContain('wrong.ts')
    expect(messages).toContain("Type 'number' is not assignable to type 'string'")
    expect(messages).not.toContain('right.ts')
    expect(messages).not.toContain('types.ts(')
  })
})
