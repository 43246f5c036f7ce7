/**
 * The registry as a process of its own, on NATS; on one machine it runs inside `standalone`. `main.ts
 * create-trace-key <key file>` adds a key to a file that registries will only read, such as a secret that is
 * mounted.
 */
import { reasonOf, runService, say, startWithTelemetry } from '@switchyard/service-kit'
import { readRegistryConfig } from './config.ts'
import { startDistributed } from './start-distributed.ts'
import { newTraceKey } from './trace-keys/trace-key.ts'
import { TraceKeyFile, TraceKeyFileError } from './trace-keys/trace-key-file.ts'

const [command, keyFile, ...more] = process.argv.slice(2)
if (command === undefined) {
  await runService(process, {
    name: 'registry',
    start: ({ env, logger, signal }) =>
      startWithTelemetry({ env, logger }, { service: 'registry' }, () =>
        startDistributed(readRegistryConfig(env), { logger, signal }),
      ),
  })
} else if (command === 'create-trace-key' && keyFile !== undefined && more.length === 0) {
  try {
    const key = await newTraceKey()
    await new TraceKeyFile(keyFile).add(key)
    say(
      'stdout',
      `Added the key ${key.kid} to ${keyFile} (keep it secret). Routers learn it with "switchyard registry trace-key create" once registries read the file.\n`,
    )
  } catch (error) {
    const reason =
      error instanceof TraceKeyFileError ? `${keyFile} is no use: ${error.reason}` : reasonOf(error)
    say('stderr', `No key was made: ${reason}\n`)
    process.exitCode = 1
  }
} else {
  say('stderr', 'Usage: main.ts [create-trace-key <key file>]\n')
  process.exitCode = 2
}
