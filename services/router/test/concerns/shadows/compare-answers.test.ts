/** What counts as a difference between two answers, and that each is found wherever it is. */
import type { ExecutionResult, Turns } from '@switchyard/engine'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareAnswers } from '../../../src/concerns/shadows/comparing/compare-answers.ts'
import { TooDeepError } from '../../../src/concerns/shadows/comparing/value-hash.ts'

const turns: Turns = { next: () => Promise.resolve() }

function answer(data: unknown, errors: ExecutionResult['errors'] = []): ExecutionResult {
  return { data: data as ExecutionResult['data'], errors }
}

async function compared(base: unknown, flag: unknown, unordered: readonly string[] = []) {
  const { differences, isReordered } = await compareAnswers(
    answer(base),
    answer(flag),
    new Set(unordered),
    turns,
  )
  return { found: differences.map(({ path, cause }) => `${path} ${cause}`), isReordered }
}

describe('two answers', () => {
  it('are equal if their members come in another order', async () => {
    const base = { a: 1, b: { c: [1, { d: 2, e: null }], f: 'x' } }
    const flag = { b: { f: 'x', c: [1, { e: null, d: 2 }] }, a: 1 }
    expect(await compared(base, flag)).toEqual({ found: [], isReordered: false })
  })

  it.each([
    ['another value', { a: { b: 1 } }, { a: { b: 2 } }, 'a.b value'],
    ['another type', { a: { b: 1 } }, { a: { b: '1' } }, 'a.b type'],
    ['null with the flag', { a: { b: 1 } }, { a: { b: null } }, 'a.b null'],
    ['null from base', { a: null }, { a: [] }, 'a not-null'],
    ['no data at all', { a: 1 }, null, ' null'],
    ['a missing member', { a: 1, b: 2 }, { a: 1 }, 'b missing'],
    ['a further member', { a: 1 }, { a: 1, b: 2 }, 'b extra'],
    ['a shorter list', { a: [1, 2, 3] }, { a: [1, 3] }, 'a length'],
    ['another order', { a: [1, 2, 3] }, { a: [1, 3, 2] }, 'a order'],
    ['a list and an object', { a: [] }, { a: {} }, 'a type'],
    [
      'another object type, and nothing below it',
      { a: { __typename: 'A', b: 1, c: 2 } },
      { a: { __typename: 'B', b: 3 } },
      'a type',
    ],
    [
      'one field of one item among many',
      { a: Array.from({ length: 50 }, (_, id) => ({ id, tags: ['x'] })) },
      { a: Array.from({ length: 50 }, (_, id) => ({ id, tags: [id === 31 ? 'y' : 'x'] })) },
      'a.*.tags.* value',
    ],
  ])('differ by %s', async (_name, base, flag, difference) => {
    expect((await compared(base, flag)).found).toEqual([difference])
  })

  it('name an item that changed, and not those around it that moved', async () => {
    const base = { a: [{ id: 1 }, { id: 2 }, { id: 3, n: 'x' }] }
    const flag = { a: [{ id: 2 }, { id: 1 }, { id: 3, n: 'y' }] }
    expect((await compared(base, flag)).found).toEqual(['a order', 'a.*.n value'])
  })

  it('are equal but for the order of a list that was declared unordered', async () => {
    const [base, flag] = [{ a: [{ t: [1, 2] }] }, { a: [{ t: [2, 1] }] }]
    expect(await compared(base, flag, ['a.*.t'])).toEqual({ found: [], isReordered: true })
    expect(await compared(base, flag, ['a'])).toEqual({ found: ['a.*.t order'], isReordered: false })
    expect((await compared({ t: [1, 2] }, { t: [2, 3] }, ['t'])).found).toEqual(['t.* value'])
  })

  it('differ by errors, which are told by path and code', async () => {
    const error = (path: (string | number)[], code: string) => ({ message: 'm', path, extensions: { code } })
    const base = answer({ a: null }, [error(['a', 0, 'b'], 'X'), error(['a', 1, 'b'], 'X')])
    const flag = answer({ a: null }, [error(['a', 5, 'b'], 'X'), error(['c'], 'Y')])
    const { differences } = await compareAnswers(base, flag, new Set(), turns)
    expect(differences.map(({ path, cause, code }) => [path, cause, code])).toEqual([
      ['a.*.b', 'no-error', 'X'],
      ['c', 'error', 'Y'],
    ])
  })

  it('are not compared if they are nested too deep', async () => {
    let deep: unknown = 1
    for (let level = 0; level < 5000; level++) deep = [deep]
    await expect(compared({ a: deep }, { a: deep })).rejects.toThrow(TooDeepError)
  })

  it('are compared in slices, with other work in between', async () => {
    let slices = 0
    const counted: Turns = { next: async () => void slices++ }
    const list = () => Array.from({ length: 20_000 }, (_, id) => ({ id, name: `n${id}` }))
    const flag = list()
    flag[19_000] = { id: 19_000, name: 'other' }
    const { differences } = await compareAnswers(
      answer({ list: list() }),
      answer({ list: flag }),
      new Set(),
      counted,
    )
    expect(differences.map(({ path }) => path)).toEqual(['list.*.name'])
    expect(slices).toBeGreaterThan(10)
  })

  it('tell a hundred differences at most', async () => {
    const many = (value: number) =>
      Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`m${index}`, value]))
    expect((await compared(many(1), many(2))).found).toHaveLength(100)
  })
})

const name = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor')
const scalar = fc.oneof(
  fc.string({ maxLength: 3 }),
  fc.integer({ min: 0, max: 3 }),
  fc.boolean(),
  fc.constant(null),
)
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    scalar,
    fc.array(tie('tree'), { maxLength: 5 }),
    fc.array(fc.tuple(name, tie('tree')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
  ),
}))

/** Every place of a scalar, as a path and as what differences call it. */
function placesOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => placesOf(item, [...path, index]))
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path]
  return Object.entries(value).flatMap(([key, member]) => placesOf(member, [...path, key]))
}

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, shuffled(member)] as const)
      .reverse(),
  )
}

function planted(value: unknown, [first, ...rest]: readonly (string | number)[]): unknown {
  if (first === undefined) return 'planted'
  if (Array.isArray(value)) return value.map((item, index) => (index === first ? planted(item, rest) : item))
  const entries = Object.entries(value as object)
  return Object.fromEntries(
    entries.map(([key, member]) => [key, key === first ? planted(member, rest) : member]),
  )
}

describe('any answer', () => {
  it('is equal to itself, whatever the order of its members', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (data) => {
        expect(await compared({ data }, { data: shuffled(structuredClone(data)) })).toEqual({
          found: [],
          isReordered: false,
        })
      }),
      { numRuns: 300 },
    )
  })

  it('differs at the place of a planted difference, wherever that is, and nowhere else', async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.nat(), async (data, choice) => {
        const places = placesOf({ data })
        const place = places[choice % Math.max(1, places.length)]
        fc.pre(place !== undefined)
        const path = place?.map((part) => (typeof part === 'number' ? '*' : part)).join('.')
        const { found } = await compared({ data }, planted({ data }, place ?? []))
        expect(found.map((text) => text.slice(0, text.lastIndexOf(' ')))).toEqual([path])
      }),
      { numRuns: 500 },
    )
  })
})
