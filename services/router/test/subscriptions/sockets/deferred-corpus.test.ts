/** Random operations with `@defer` over WebSockets, beside what HTTP answers to them. */
import { createMonolith, SUITES } from '@switchyard/corpus'
import { Random, withoutDefers, withRandomDefers } from '@switchyard/samples'
import { isLongRun, mergeParts, protocolComplaints, sampled, type StreamPart } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { startCorpusWorld } from '../../support/corpus-world.ts'
import { PartReader } from '../../support/parts.ts'
import { post } from '../../support/router.ts'
import { Talk } from './talk.ts'

const SETTINGS = '{ engine: { enable_defer: true }, subscriptions: { enabled: true } }'
/** Their subgraphs give canned answers, whatever is asked. */
const SUITES_THAT_ANSWER = SUITES.filter(
  ({ name }) => !['failing subgraphs', 'sloppy answers'].includes(name),
)

describe('random operations with @defer over WebSockets', () => {
  it.each(sampled(SUITES_THAT_ANSWER, isLongRun() ? 12 : 24))(
    'are answered as over HTTP, whole or in parts: $name',
    async (suite) => {
      await using world = await startCorpusWorld(suite, SETTINGS)
      const { router } = world
      await using whole = await Talk.ready(router.graphqlUrl)
      await using inParts = await Talk.ready(router.graphqlUrl, { incrementalSpec: 'v0.2' })
      const { schema } = createMonolith(suite)
      const random = new Random(20_261_130)
      let streams = 0
      for (const operation of suite.operations) {
        const { query, variables, operationName = null } = withRandomDefers(schema, operation, random)
        const payload = { query, variables, operationName }
        const ask = async (talk: Talk) => {
          talk.say({ id: '1', type: 'subscribe', payload })
          await talk.hear('complete')
          return talk.heard.splice(0).map((message) => message['payload'])
        }
        const plain = withoutDefers({ ...operation, query, variables: variables ?? {} })
        const { json } = await post(router, { ...plain, operationName })
        expect(await ask(whole), query).toEqual([json])
        const { text } = await post(router, payload)
        const expected = text.startsWith('--')
          ? new PartReader().read(Buffer.from(text)).map((part) => JSON.parse(part.text))
          : [JSON.parse(text)]
        const got = (await ask(inParts)) as StreamPart[]
        // Fragments that do not depend on each other come in any order.
        expect(got.length, query).toBe(expected.length)
        if (!text.startsWith('--')) expect(got, query).toEqual(expected)
        else {
          streams++
          expect(protocolComplaints(got, { pendingPer: 'fragment' }), query).toEqual([])
          expect(mergeParts(got).data, query).toEqual(mergeParts(expected).data)
        }
      }
      expect(streams).toBeGreaterThan(0)
    },
  )
})
