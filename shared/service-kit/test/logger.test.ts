import { expect, it } from 'vitest'
import { createLogger } from '../src/logging/logger.ts'
import { FrequentLines, VERSION } from '../src/index.ts'

it('names the version of Switchyard in each line, whatever the event has of its own', () => {
  const lines: string[] = []
  const logger = createLogger({ name: 'sample', to: { write: (line: string) => void lines.push(line) } })
  logger.info({ event: 'config.swapped', version: { epoch: 1, revision: 2 } }, 'of a config')
  logger.child({ part: 'router' }).error({ event: 'process.start-failed', err: new Error('no') }, 'of a part')
  new FrequentLines(logger).info(',"event":"request.answered"', 'of a request')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { name: 'sample', 'service.version': VERSION, version: { epoch: 1, revision: 2 } },
    { part: 'router', 'service.version': VERSION },
    { 'service.version': VERSION, msg: 'of a request' },
  ])
})
