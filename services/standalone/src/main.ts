/**
 * The program that `switchyard up` becomes. It says once on stdout where it serves, or why it does not. Its
 * log goes to stderr.
 */
import { isatty } from 'node:tty'
import { boundHeapGrowth } from '@switchyard/router'
import {
  createLogger,
  failedDocument,
  LOG_LEVELS,
  runService,
  say,
  startWithTelemetry,
} from '@switchyard/service-kit'
import { startMessage } from './announce.ts'
import { loadStandaloneConfig } from './config.ts'
import { startStandalone } from './standalone.ts'

const level = LOG_LEVELS.find((name) => name === process.env['SWITCHYARD_LOG_LEVEL']) ?? 'info'
const logger = createLogger({ name: 'standalone', level, to: 'stderr' })

boundHeapGrowth()
await runService(process, {
  name: 'standalone',
  logger,
  tellsFailures: isatty(2),
  async start({ env, signal }) {
    try {
      const { output, ...config } = loadStandaloneConfig(env)
      // Nobody asks for metrics on a developer's machine.
      const telemetry = { service: 'switchyard', defaultPort: 0 }
      return await startWithTelemetry({ env, logger }, telemetry, async () => {
        const standalone = await startStandalone({ ...config, env, logger, signal })
        say('stdout', startMessage(standalone, config.dataDir, output))
        return standalone
      })
    } catch (error) {
      if (signal.aborted) throw error
      if (env['SWITCHYARD_OUTPUT'] === 'json') say('stdout', failedDocument(error))
      else say('stderr', `error: ${error instanceof Error ? error.message : String(error)}\n`)
      throw error
    }
  },
})
