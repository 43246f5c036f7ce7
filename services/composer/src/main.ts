/** Runs the composer as a process of its own. */
import { runService, startWithTelemetry } from '@switchyard/service-kit'
import { loadComposerConfig } from './config.ts'
import { startDistributed } from './start-distributed.ts'

await runService(process, {
  name: 'composer',
  start: ({ env, logger, signal }) =>
    startWithTelemetry({ env, logger }, { service: 'composer' }, () =>
      startDistributed(loadComposerConfig(env), { logger, signal }),
    ),
})
