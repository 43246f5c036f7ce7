/** Runs the composer as a process of its own. */
import { answerUsage, runService, startWithTelemetry } from '@switchyard/service-kit'
import { loadComposerConfig } from './config.ts'
import { startDistributed } from './start-distributed.ts'

const HELP = `Usage: switchyard-composer

It starts the composer. Its settings are environment variables: docs/configuration.md.
`

const words = process.argv.slice(2)
if (words.length > 0) answerUsage(words, HELP)
else {
  await runService(process, {
    name: 'composer',
    start: ({ env, logger, signal }) =>
      startWithTelemetry({ env, logger }, { service: 'composer' }, () =>
        startDistributed(loadComposerConfig(env), { logger, signal }),
      ),
  })
}
