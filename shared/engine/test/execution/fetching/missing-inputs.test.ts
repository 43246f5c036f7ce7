/** What a field requires, and a subgraph that failed did not give. */
import { compose } from '@switchyard/composition'
import { describe, expect, it } from 'vitest'
import {
  compileSupergraph,
  execute,
  type ExecutionResult,
  type Fetch,
  openGraph,
  prepareOperation,
  type SubgraphReply,
} from '../../../src/index.ts'
import { planOperation } from '../../../src/plan/plan-operation.ts'

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@external", "@requires"])\n`

const SDL = {
  goods: `${LINK}
    type Query { items: [Item!] }
    type Item @key(fields: "id") { id: ID! maker: Maker! }
    type Maker @key(fields: "id") { id: ID! }
  `,
  makers: `${LINK} type Maker @key(fields: "id") { id: ID! honest: Boolean! country: String }`,
  scales: `${LINK} type Item @key(fields: "id") { id: ID! weight: Int! volume: Int }`,
  shipping: `${LINK}
    type Item @key(fields: "id") {
      id: ID! weight: Int! @external volume: Int @external maker: Maker! @external
      cost: Int @requires(fields: "weight")
      box: String @requires(fields: "volume")
      duty: Int! @requires(fields: "maker { honest }")
      plain: String
    }
    type Maker @key(fields: "id", resolvable: false) { id: ID! honest: Boolean! @external }
  `,
}

const composed = compose({
  subgraphs: Object.entries(SDL).map(([name, sdl]) => ({ name, routingUrl: `http://${name}.test/`, sdl })),
})
if (composed.kind === 'failed') throw new Error(JSON.stringify(composed))
const graph = openGraph(compileSupergraph(composed.supergraphSdl))

const ITEMS = [
  { id: '1', maker: { id: 'm' } },
  { id: '2', maker: { id: 'n' } },
]
const DOWN: SubgraphReply = { kind: 'failure', code: 'SUBGRAPH_UNREACHABLE', message: 'It is down.' }
const answer = (data: unknown, errors?: readonly unknown[]): SubgraphReply => ({
  kind: 'answer',
  status: 200,
  body: errors === undefined ? { data } : { data, errors },
})

type Replies = Readonly<Record<string, SubgraphReply>>
type Asked = { readonly result: ExecutionResult; readonly sent: readonly (readonly [string, unknown])[] }

/** `sent`: representations that went to "shipping", and the subgraphs that the recorder was told of. */
async function ask(
  query: string,
  replies: Replies,
): Promise<Asked & { readonly recorded: readonly string[] }> {
  const plan = planOperation(prepareOperation(graph, { document: query }), new Map())
  const sent: (readonly [string, unknown])[] = []
  const recorded: string[] = []
  const nameOf = (fetch: Fetch) => graph.compiled.subgraphs[fetch.subgraph]?.name ?? ''
  const result = await new Promise<ExecutionResult>((resolve) => {
    const fetch: Parameters<typeof execute>[1]['fetch'] = ({ subgraph, body }, done) => {
      if (subgraph === 'shipping') sent.push(...Object.entries(JSON.parse(body).variables))
      setImmediate(() => done(replies[subgraph] ?? answer({ items: ITEMS })))
    }
    const recorder = { rendered: (asked: Fetch) => void recorded.push(nameOf(asked)), settled: () => {} }
    execute(graph, { plan, variables: new Map(), fetch, recorder }, resolve)
  })
  return { result, sent, recorded }
}

describe('a required non-null input that is missing', () => {
  it('makes no call where no object has it, and its cause is the only error', async () => {
    const { result, sent, recorded } = await ask('{ items { id cost } }', { scales: DOWN })
    expect(sent).toEqual([])
    expect(recorded).toEqual(['goods', 'scales'])
    expect(result.data).toEqual({
      items: [
        { id: '1', cost: null },
        { id: '2', cost: null },
      ],
    })
    expect(new Set(result.errors.map(({ message }) => message))).toEqual(new Set(['It is down.']))
  })

  it('leaves the object out of the call that others are in', async () => {
    const { result, sent } = await ask('{ items { cost } }', {
      scales: answer({ _entities: [null, { weight: 4 }] }, [
        { message: 'Broken', path: ['_entities', 0, 'weight'] },
      ]),
      shipping: answer({ _entities: [{ cost: 40 }] }),
    })
    expect(sent).toEqual([['r0', [{ __typename: 'Item', id: '2', weight: 4 }]]])
    expect(result.data).toEqual({ items: [{ cost: null }, { cost: 40 }] })
    expect(result.errors.map(({ message, path }) => [message, path])).toEqual([
      ['Broken', ['items', 0, 'cost']],
    ])
  })

  it('counts below another object as well', async () => {
    const { result, sent } = await ask('{ items { duty } }', { makers: DOWN })
    expect(sent).toEqual([])
    expect(result.data).toEqual({ items: null })
    expect(new Set(result.errors.map(({ message }) => message))).toEqual(new Set(['It is down.']))
  })

  it('does not take along what can be had without it', async () => {
    const { result } = await ask('{ items { cost plain } }', {
      scales: DOWN,
      shipping: answer({ _entities: [{ plain: 'a' }, { plain: 'b' }] }),
    })
    expect(result.data).toEqual({
      items: [
        { cost: null, plain: 'a' },
        { cost: null, plain: 'b' },
      ],
    })
    expect(new Set(result.errors.map(({ message }) => message))).toEqual(new Set(['It is down.']))
  })
})

describe('a required nullable input', () => {
  it.each([
    ['is null', answer({ _entities: [{ volume: null }, { volume: null }] })],
    ['is missing', DOWN],
  ])('is sent as null where it %s', async (_what, scales) => {
    const { result, sent } = await ask('{ items { box } }', {
      scales,
      shipping: answer({ _entities: [{ box: 'any' }, { box: 'any' }] }),
    })
    expect(sent).toEqual([
      [
        'r0',
        [
          { __typename: 'Item', id: '1', volume: null },
          { __typename: 'Item', id: '2', volume: null },
        ],
      ],
    ])
    expect(result.data).toEqual({ items: [{ box: 'any' }, { box: 'any' }] })
  })
})
