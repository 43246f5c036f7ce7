import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Figures, sumFigures } from '../src/index.ts'
import { counted, messageOf, requestOf, type Request } from './random-figures.ts'

const run = new RandomRun(import.meta.url, 100)

/** What one boot of one router counted, and after how many requests it sent a message. */
const bootOf = fc.record({
  requests: fc.array(requestOf, { maxLength: 60 }),
  sentAfter: fc.array(fc.nat(60), { maxLength: 4 }),
})

describe('the sum over routers', () => {
  it('is what all counted, in whatever order messages come, however often, and whichever earlier ones are lost', () => {
    fc.assert(
      fc.property(fc.array(bootOf, { maxLength: 5 }), fc.infiniteStream(fc.nat()), (boots, random) => {
        const messages = boots.flatMap(({ requests, sentAfter }, at) => {
          const sender = { instance: `r${at % 3}`, boot: `b${at}` }
          const earlier = sentAfter.toSorted((one, other) => one - other)
          return [...earlier, requests.length].map((count, beat) =>
            messageOf(counted(requests.slice(0, count)), { ...sender, beat: beat + 1 }),
          )
        })
        const lastOfBoot = new Map(messages.map((message) => [message.boot, message]))
        const arrived = messages
          .filter((message) => lastOfBoot.get(message.boot) === message || random.next().value % 2 === 0)
          .flatMap((message) => (random.next().value % 3 === 0 ? [message, message] : [message]))
          .map((message) => ({ message, at: random.next().value }))
          .toSorted((one, other) => one.at - other.at)
          .map(({ message }) => message)
        expect(sumFigures(arrived)).toEqual(counted(boots.flatMap(({ requests }) => requests)))
      }),
      run.parameters,
    )
  })

  it('of nothing is nothing', () => {
    const sum = sumFigures([])
    expect(sum.inside.requests).toBe(0)
    expect(Figures.safeParse(sum).success).toBe(true)
  })

  it('takes what a boot said last, also where its totals fell', () => {
    const request: Request = { group: 'inside', cluster: 0, error: null, milliseconds: 1, operation: null }
    const many = messageOf(counted([request, request]), { beat: 1 })
    const few = messageOf(counted([request]), { beat: 2 })
    expect(sumFigures([many, few])).toEqual(sumFigures([few, many]))
    expect(sumFigures([many, few]).inside.requests).toBe(1)
  })

  it('has the most frequent operations of all routers, and counts the others in the totals', () => {
    const request: Request = { group: 'inside', cluster: 0, error: null, milliseconds: 1, operation: null }
    const router = (name: string) =>
      messageOf(
        counted(Array.from({ length: 40 }, (_, at) => ({ ...request, operation: `${name}${at % 15}` }))),
        {
          instance: name,
        },
      )
    const sum = sumFigures([router('A'), router('B')])
    expect(sum.inside.requests).toBe(80)
    expect(sum.operations.length).toBe(20)
    expect(Figures.safeParse(sum).error).toBeUndefined()
  })
})
