import { protocolComplaints } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

const INITIAL = {
  data: { books: [{ id: 'a' }, { id: 'b' }], shop: { name: 'x' } },
  pending: [
    { id: '1', path: ['books'], label: 'extra' },
    { id: '2', path: ['shop'] },
  ],
  hasNext: true,
}
const FIRST = {
  incremental: [
    { data: { stock: 3 }, id: '1', subPath: [0] },
    { data: { stock: 0, maker: {} }, id: '1', subPath: [1] },
  ],
  completed: [{ id: '1' }],
  pending: [{ id: '3', path: ['books'] }],
  hasNext: true,
}
const SECOND = { completed: [{ id: '2' }], hasNext: true }
const THIRD = {
  incremental: [{ data: { country: 'DK' }, id: '3', subPath: [1, 'maker'] }],
  completed: [{ id: '3' }],
  hasNext: false,
}
const PARENTS = new Map([['3', '1']])

const initial = (change: object) => [{ ...INITIAL, ...change }, FIRST, SECOND, THIRD]
const first = (change: object) => [INITIAL, { ...FIRST, ...change }, SECOND, THIRD]
const entry = (change: object) =>
  first({ incremental: [{ ...FIRST.incremental[0], ...change }, FIRST.incremental[1]] })
const announcement = (change: object) =>
  initial({ pending: [{ ...INITIAL.pending[0], ...change }, INITIAL.pending[1]] })

const ITEMS = [
  {
    data: { books: [{ id: 'a' }, { id: 'b' }] },
    pending: [
      { id: '1.1', path: ['books', 0] },
      { id: '1.2', path: ['books', 1] },
    ],
    hasNext: true,
  },
  {
    incremental: [
      { data: { stock: 3, maker: {} }, id: '1.1' },
      { data: { h: 1 }, id: '1.2' },
    ],
    completed: [{ id: '1.1' }, { id: '1.2' }],
    pending: [{ id: '2.1', path: ['books', 0, 'maker'] }],
    hasNext: true,
  },
  { completed: [{ id: '2.1' }], hasNext: false },
] as const

const items = (change: object) => [{ ...ITEMS[0], ...change }, ITEMS[1], ITEMS[2]]
const firstItems = (change: object) => [ITEMS[0], { ...ITEMS[1], ...change }, ITEMS[2]]

const BAD_ITEMS: readonly (readonly [rule: string, parts: readonly unknown[], complaint: string])[] = [
  [
    'what is announced is an object, not a list',
    items({ pending: [{ id: '1', path: ['books'] }] }),
    'announces 1 at ["books"], where no object is',
  ],
  [
    'the object is there',
    items({ pending: [{ id: '1', path: ['books', 2] }] }),
    'announces 1 at ["books",2], where no object is',
  ],
  [
    'an id is that of a fragment, and in a list of an object',
    items({ pending: [{ id: '1.0', path: ['books', 0] }] }),
    'announces the id "1.0", which is not a number as text',
  ],
  [
    'ids ascend by fragment and object',
    items({
      pending: [
        { id: '1.10', path: ['books', 0] },
        { id: '1.9', path: ['books', 1] },
      ],
    }),
    'announces 1.9 after 1.10',
  ],
  [
    'a later part completes something',
    firstItems({ incremental: undefined, completed: [] }),
    'does not complete anything',
  ],
  [
    'what has an entry is completed with it',
    firstItems({ completed: [{ id: '1.1' }] }),
    'has an entry of 1.2, which it does not complete',
  ],
  [
    'what is completed together is in the order of the ids',
    firstItems({ completed: [{ id: '1.2' }, { id: '1.1' }] }),
    'completes 1.1 after 1.2',
  ],
  [
    'each is completed once',
    firstItems({ completed: [{ id: '1.1' }, { id: '1.1' }, { id: '1.2' }] }),
    'completes 1.1 again',
  ],
  ['a completion is an object', firstItems({ completed: [{ id: '1.1' }, 2] }), 'completes something that is'],
  [
    'entries lead to their own object without a subPath',
    firstItems({ incremental: [{ data: { stock: 3 }, id: '1.1', subPath: [0] }] }),
    'has an entry at ["books",0,0], where no object is',
  ],
]

const BAD: readonly (readonly [rule: string, parts: readonly unknown[], complaint: string])[] = [
  ['a part is an object', [INITIAL, []], 'is not an object'],
  ['the initial part has data', initial({ data: 'x' }), 'has no data'],
  ['no data is explained', [{ data: null, hasNext: false }], 'has null as data without an error'],
  ['no unknown member of a part', first({ payload: 1 }), 'unknown members in the part: payload'],
  ['no incremental in the initial part', initial({ incremental: [] }), 'unknown members in the part'],
  ['no data in a later part', first({ data: {} }), 'unknown members in the part: data'],
  ['no unknown member of an entry', entry({ path: [] }), 'unknown members in an entry: path'],
  ['no unknown member of an announcement', announcement({ type: 1 }), 'unknown members in an announcement'],
  [
    'no unknown member of a completion',
    first({ completed: [{ id: '1', ok: true }] }),
    'unknown members in completed',
  ],
  [
    'members keep their order',
    [INITIAL, { completed: FIRST.completed, incremental: FIRST.incremental, hasNext: true }],
    'in the order completed,incremental,hasNext',
  ],
  ['extensions come last', first({ pending: FIRST.pending, extensions: {}, hasNext: true }), 'extensions'],
  ['an id is a number as text', announcement({ id: 1 }), 'which is not a number as text'],
  ['an id is announced once', first({ pending: [{ id: '2', path: ['shop'] }] }), 'announces 2 again'],
  ['ids ascend', initial({ pending: INITIAL.pending.toReversed() }), 'announces 1 after 2'],
  ['a label is text', announcement({ label: 7 }), 'with the label 7'],
  ['a path has no indices', announcement({ path: ['books', 0] }), 'which is not a list of response names'],
  ['a path leads to something', announcement({ path: ['films'] }), 'where neither object nor list is'],
  [
    'a path does not lead to null',
    [
      { data: { a: null }, pending: [{ id: '1', path: ['a'] }], hasNext: true },
      { completed: [{ id: '1' }], hasNext: false },
    ],
    'where neither object nor list is',
  ],
  [
    'a path does not lead through a list',
    announcement({ path: ['books', '0'] }),
    'where neither object nor list is',
  ],
  [
    'a nested fragment is not announced before its parent is delivered',
    [
      { ...INITIAL, pending: [...INITIAL.pending, { id: '3', path: ['books'] }] },
      { ...FIRST, pending: undefined },
      SECOND,
      THIRD,
    ],
    'announces 3 before 1, in which it is nested, is delivered',
  ],
  ['an empty list of announcements is left out', initial({ pending: [] }), 'has pending: []'],
  ['an empty list of entries is left out', first({ incremental: [] }), 'has incremental: []'],
  ['an empty subPath is left out', entry({ subPath: [] }), 'has the subPath []'],
  ['a subPath holds names and indices', entry({ subPath: [-1] }), 'has the subPath [-1]'],
  ['a subPath begins with an index in a list', entry({ subPath: undefined }), 'where no object is'],
  ['an entry leads to an object', entry({ subPath: [7] }), 'where no object is'],
  ['an entry delivers something', entry({ data: {} }), 'delivers nothing at ["books",0]'],
  ['a field is delivered once', entry({ data: { id: 'a' } }), 'delivers ["books",0,"id"] again'],
  ['an entry is of an announced fragment', entry({ id: '9' }), 'has an entry of 9, which was not announced'],
  ['an entry is of the fragment that the part completes', entry({ id: '2' }), 'which it does not complete'],
  [
    'entries are in pre-order',
    first({ incremental: FIRST.incremental.toReversed() }),
    'has the entry at ["books",0] after ["books",1]',
  ],
  [
    'an object has one entry of a fragment',
    entry({ subPath: [1] }),
    'has the entry at ["books",1] after ["books",1]',
  ],
  ['a later part completes one fragment', first({ completed: [] }), 'does not complete exactly one fragment'],
  [
    'a later part completes no two fragments',
    first({ completed: [{ id: '1' }, { id: '2' }] }),
    'does not complete exactly one fragment',
  ],
  [
    'what is completed was announced',
    first({ incremental: undefined, completed: [{ id: '9' }] }),
    'completes 9, which was not announced',
  ],
  ['a fragment is completed once', [INITIAL, FIRST, SECOND, SECOND, THIRD], 'completes 2 again'],
  [
    'nothing of a completed fragment follows',
    [INITIAL, FIRST, SECOND, { ...FIRST, pending: undefined }, THIRD],
    'has an entry of 1, which is completed',
  ],
  ['hasNext is said', initial({ hasNext: undefined }), 'does not say hasNext'],
  [
    'hasNext:false comes last',
    [INITIAL, FIRST, { ...SECOND, hasNext: false }, THIRD],
    'comes after the part',
  ],
  ['hasNext:false leaves nothing pending', [{ ...INITIAL, hasNext: false }], 'while 1, 2 is pending'],
  ['hasNext:true leaves something', [{ data: {}, hasNext: true }], 'with nothing left to complete'],
  ['the stream ends', [INITIAL, FIRST, SECOND], 'ends without hasNext:false'],
  ['the stream ends when all is completed', [INITIAL, FIRST], 'ends without completing 2'],
  ['an empty list of errors is left out', initial({ errors: [] }), 'has errors of the part: []'],
  ['an error has a message', entry({ errors: [{ path: ['books', 0] }] }), 'an error without a message'],
  [
    'an error has no unknown members',
    entry({ errors: [{ message: 'no', path: ['books', 0], code: 1 }] }),
    'unknown members in an error of an entry of 1: code',
  ],
  [
    'an error of an entry lies in its object',
    entry({ errors: [{ message: 'no', path: ['books', 1, 'stock'] }] }),
    'has an error at ["books",1,"stock"]',
  ],
  [
    'an error is told once',
    [
      { errors: [{ message: 'no', path: ['books', 0, 'stock'] }], ...INITIAL },
      ...entry({ errors: [{ message: 'no', path: ['books', 0, 'stock'] }] }).slice(1),
    ],
    'tells the error at ["books",0,"stock"] again',
  ],
]

describe('the rules of an incremental response', () => {
  it('are kept by a stream with lists, nested fragments and one without entries', () => {
    expect(protocolComplaints(asSent([INITIAL, FIRST, SECOND, THIRD]), { parents: PARENTS })).toEqual([])
  })

  it('are kept by a stream of one part', () => {
    expect(protocolComplaints([{ data: { a: 1 }, hasNext: false }])).toEqual([])
    expect(protocolComplaints([{ errors: [{ message: 'no' }], data: null, hasNext: false }])).toEqual([])
  })

  it.each(BAD)('%s', (_rule, parts, complaint) => {
    const complaints = protocolComplaints(asSent(parts), { parents: PARENTS })
    expect(complaints.join('\n')).toContain(complaint)
  })
})

describe('the rules of a response that announces object by object', () => {
  const judge = (parts: readonly unknown[]) => protocolComplaints(asSent(parts), { pendingPer: 'item' })

  it('are kept by a stream with a list and a nested fragment', () => {
    expect(judge(ITEMS)).toEqual([])
  })

  it.each(BAD_ITEMS)('%s', (_rule, parts, complaint) => {
    expect(judge(parts).join('\n')).toContain(complaint)
  })

  it('are not those of a response that announces fragment by fragment, and the other way round', () => {
    expect(judge([INITIAL, FIRST, SECOND, THIRD])).not.toEqual([])
    expect(protocolComplaints(ITEMS)).not.toEqual([])
  })
})

/** What is undefined is not sent. */
function asSent(parts: readonly unknown[]): readonly unknown[] {
  return JSON.parse(JSON.stringify(parts))
}
