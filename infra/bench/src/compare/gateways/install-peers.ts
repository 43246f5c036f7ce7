/**
 * Gateways of npm, at exact versions, in a folder of their own: they need other versions of graphql than
 * the workspace has, and nobody who works on Switchyard should install 400 packages to compare it.
 */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { REPOSITORY } from '@switchyard/lab'

const run = promisify(execFile)

/** Ignored by git; `make clean` removes it. */
export const PEERS = join(REPOSITORY, '.cache/bench-peers')

const MANIFEST = {
  name: 'gateways-to-compare-with',
  private: true,
  type: 'module',
  dependencies: {
    '@apollo/gateway': '2.14.4',
    '@apollo/server': '5.5.1',
    '@graphql-hive/gateway': '2.15.1',
    '@graphql-hive/router-runtime': '1.4.23',
    graphql: '16.14.0',
  },
  // The version that its dependency asks for cannot be had everywhere.
  overrides: { '@graphql-tools/batch-execute': '10.2.0' },
}

/** Installs the other gateways with npm, which comes with Node.js. npm does nothing if they are there. */
export async function installPeers(): Promise<void> {
  await mkdir(PEERS, { recursive: true })
  await writeFile(join(PEERS, 'package.json'), JSON.stringify(MANIFEST, null, 2))
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: PEERS,
  })
}
