import { fetchesOf } from '@switchyard/request-trace'
import { describe, expect, it } from 'vitest'
import { type Responder, startLedger } from '../../support/ledger.ts'
import { traced } from './traced.ts'

const REQUESTS = 200

describe('two hundred traced requests at once', () => {
  it('on one plan each have only their own data in their trace', async () => {
    await using world = await startLedger(
      '{ dev_mode: true, tracing: { allowed_headers: ["*"], sensitive_names: [] } }',
    )
    /** Subgraphs answer with what they were asked, when all have asked. */
    const together = (answer: (own: string) => unknown): Responder => {
      const waiting: (() => void)[] = []
      return (body, response) => {
        const own = /own-\d+-end/.exec(body)?.[0] ?? 'nobody'
        waiting.push(() =>
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ data: answer(own) })),
        )
        if (waiting.length >= REQUESTS / 4) for (const go of waiting.splice(0)) go()
      }
    }
    world.ledger.answers(
      together((own) => ({ account: { __typename: 'Account', number: own, balance: own }, echo: own })),
    )
    world.audit.answers(together((own) => ({ _entities: [{ note: own }] })))
    const query = 'query ($id: ID) { echo(id: $id) account { balance note } }'
    const asked = Array.from({ length: REQUESTS }, (_, index) => `own-${index}-end`)
    const traces = await Promise.all(
      asked.map(async (id) => {
        const { reply, trace } = await traced(world.router, { query, variables: { id } })
        return { id, trace, data: reply.json.data }
      }),
    )
    for (const { id, trace, data } of traces) {
      expect(data).toEqual({ echo: id, account: { balance: id, note: id } })
      const text = JSON.stringify(trace)
      expect(new Set(text.match(/own-\d+-end/g))).toEqual(new Set([id]))
      for (const { trace: load } of fetchesOf(trace)) {
        expect(JSON.stringify(load.input)).toContain(id)
        expect(JSON.stringify(load.output)).toContain(id)
      }
    }
  })
})
