import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isList, splitList } from '../../src/concerns/batching/split-list.ts'

const RUN = new RandomRun(import.meta.url, 2000)

describe('a list', () => {
  it.each<[string, ReturnType<typeof splitList>]>([
    ['[]', []],
    [' [ ] ', []],
    ['[1]', ['1']],
    ['[1,2]\n', ['1', '2']],
    ['["]",{"a":"}","b":[1,2]},[]]', ['"]"', '{"a":"}","b":[1,2]}', '[]']],
    [String.raw`["\"]","\\",",\\\""]`, [String.raw`"\"]"`, String.raw`"\\"`, String.raw`",\\\""`]],
    ['[1,]', ['1', '']],
    ['[,]', ['', '']],
    ['[1', null],
    ['["a]', null],
    ['[1]]', null],
    ['[1] x', null],
    ['[] x', null],
    ['{}', null],
    ['', null],
    ['[1,2,3,4]', 'too-many'],
    ['[1,2,3,4,', 'too-many'],
    ['[1}', null],
    ['[9007199254740993]', ['9007199254740993']],
  ])('%s is %j', (text, items) => {
    expect(splitList(text, 3)).toEqual(items)
  })

  it('has the items that JSON.parse finds, however it is written', () => {
    const space = fc.constantFrom(undefined, 1, '\t')
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), space, (values, indent) => {
        const text = JSON.stringify(values, null, indent)
        expect(isList(text)).toBe(true)
        const items = splitList(text, Number.POSITIVE_INFINITY)
        expect(Array.isArray(items) ? items.map((item): unknown => JSON.parse(item)) : items).toEqual(
          JSON.parse(text),
        )
      }),
      RUN.parameters,
    )
  })

  it('of anything else gives texts that no list can be made of', () => {
    const piece = fc.constantFrom('[', ']', '{', '}', '"', '\\', ',', '1', ' ', 'a')
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = `[${pieces.join('')}`
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        const items = splitList(text, 1000)
        if (isJson) expect(items).not.toBeNull()
        else if (Array.isArray(items))
          expect(() => {
            for (const item of items) JSON.parse(item)
          }).toThrow()
      }),
      RUN.parameters,
    )
  })
})
