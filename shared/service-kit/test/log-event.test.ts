import { expect, it } from 'vitest'
import { createLogger, logEvent } from '../src/index.ts'

/** Writes to a logger that keeps its lines. */
function kept() {
  const lines: string[] = []
  const logger = createLogger({ name: 'test', level: 'info', to: { write: (line) => lines.push(line) } })
  return { logger, lines: () => lines.map((line): unknown => JSON.parse(line)) }
}

const AWAY = logEvent('store.away', {
  level: ['warn', 'error'],
  fields: ['reason'],
  says: 'The store of [`rate_limits`](rate-limits.md) does not answer',
})

it('a line has the fields and the level of its declaration, and the sentence of the page as plain text', () => {
  const { logger, lines } = kept()
  AWAY.write(logger, { reason: 'refused' })
  AWAY.writeGrave(logger, { reason: 'refused' }, 'still away')
  expect(lines()).toMatchObject([
    {
      event: 'store.away',
      level: 'warn',
      reason: 'refused',
      msg: 'The store of rate_limits does not answer',
    },
    { event: 'store.away', level: 'error', reason: 'refused', msg: 'still away' },
  ])
})
