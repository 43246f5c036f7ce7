/**
 * `main.ts` runs the service; `main.ts create-signing-key <key file> <public keys file>` makes the key pair
 * it needs.
 */
import { writeFile } from 'node:fs/promises'
import { answerUsage, runService, say, startWithTelemetry } from '@switchyard/service-kit'
import { messageOf } from '@switchyard/values'
import { createSigningKey, publicJwks, saveSigningKey } from './config-distribution.ts'
import { loadConfigDistributionConfig } from './config.ts'
import { startDistributed } from './start-distributed.ts'

const HELP = `Usage: switchyard-config-distribution [create-signing-key <key file> <public keys file>]

Without a command it starts the service. Its settings are environment variables: docs/configuration.md.

Commands:
  create-signing-key  makes the key pair that signs what routers take, in two new files
`

const words = process.argv.slice(2)
const [command, keyFile, publicFile] = words
if (command === undefined) {
  await runService(process, {
    name: 'config-distribution',
    start: ({ env, logger, signal }) =>
      startWithTelemetry({ env, logger }, { service: 'config-distribution' }, () =>
        startDistributed(loadConfigDistributionConfig(env), { logger, signal }),
      ),
  })
} else if (command === 'create-signing-key' && keyFile !== undefined && publicFile !== undefined) {
  try {
    const key = await createSigningKey()
    await saveSigningKey(keyFile, key)
    await writeFile(publicFile, `${JSON.stringify(publicJwks(key))}\n`, { flag: 'wx' })
    say('stdout', `Wrote ${keyFile} (keep it secret) and ${publicFile} (for the routers), key ${key.kid}.\n`)
  } catch (error) {
    say('stderr', `No key was made: ${messageOf(error)}\n`)
    process.exitCode = 1
  }
} else {
  answerUsage(words, HELP)
}
