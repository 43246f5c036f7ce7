/**
 * The registry as a process of its own, on NATS; on one machine it runs inside `standalone`. `main.ts
 * create-trace-key <key file>` adds a key to a file that registries will only read, such as a secret that is
 * mounted. `main.ts back-up <folder> <number>` writes a backup into a folder that keeps so many of them.
 */
import { answerUsage, runService, say, startWithTelemetry } from '@switchyard/service-kit'
import { messageOf } from '@switchyard/values'
import { readRegistryConfig } from './config.ts'
import { startDistributed } from './start-distributed.ts'
import { newTraceKey } from './trace-keys/trace-key.ts'
import { TraceKeyFile, TraceKeyFileError } from './trace-keys/trace-key-file.ts'
import { runBackUp } from './transfer/run-back-up.ts'

const HELP = `Usage: switchyard-registry [create-trace-key <key file> | back-up <folder> <number of backups to keep>]

Without a command it starts the service. Its settings are environment variables: docs/configuration.md.

Commands:
  create-trace-key  adds a key for trace tokens to a file
  back-up           writes a backup into a folder, and removes the oldest beyond the number
`

const [command, ...words] = process.argv.slice(2)
const [keyFile] = words
const [folder, keep] = words
if (command === undefined) {
  await runService(process, {
    name: 'registry',
    start: ({ env, logger, signal }) =>
      startWithTelemetry({ env, logger }, { service: 'registry' }, () =>
        startDistributed(readRegistryConfig(env), { logger, signal }),
      ),
  })
} else if (command === 'create-trace-key' && keyFile !== undefined && words.length === 1) {
  try {
    const key = await newTraceKey()
    await new TraceKeyFile(keyFile).add(key)
    say(
      'stdout',
      `Added the key ${key.kid} to ${keyFile} (keep it secret). Routers learn it with "switchyard registry trace-key create" once registries read the file.\n`,
    )
  } catch (error) {
    const reason =
      error instanceof TraceKeyFileError ? `${keyFile} is no use: ${error.reason}` : messageOf(error)
    say('stderr', `No key was made: ${reason}\n`)
    process.exitCode = 1
  }
} else if (command === 'back-up' && folder !== undefined && keep !== undefined && words.length === 2) {
  try {
    say('stdout', await runBackUp({ folder, keep, env: process.env }))
  } catch (error) {
    say('stderr', `No backup was made: ${messageOf(error)}\n`)
    process.exitCode = 1
  }
} else {
  answerUsage(process.argv.slice(2), HELP)
}
