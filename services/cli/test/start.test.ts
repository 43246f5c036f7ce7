/**
 * What a start costs: counted in modules, since times depend on the machine; and the program that is put on
 * the PATH.
 */
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { filesLoadedByNode } from '@switchyard/testkit'
import { fakeRegistry } from './fake-registry.ts'
import { createFolder } from './workspace.ts'

const run = promisify(execFile)
const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url))
const MAIN = join(CHECKOUT, 'services/cli/src/main.ts')
const LAUNCHER = join(CHECKOUT, 'scripts/switchyard')
const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`

/** The files that a command line loads, those of Node.js itself left out. */
async function filesLoadedBy(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { stdout, files } = await filesLoadedByNode([MAIN, ...args], { PATH, ...env })
  const nouns = new Set(
    files.flatMap((file) => /cli\/src\/commands\/([a-z_-]+)(?:\/|\.ts$)/.exec(file)?.[1] ?? []),
  )
  return { stdout, files, nouns: [...nouns] }
}

function among(files: readonly string[], part: RegExp): readonly string[] {
  return files.filter((file) => part.test(file))
}

describe('the start of the command line', () => {
  it('loads no command and no library but the parser of command lines for its overview', async () => {
    const { stdout, files, nouns } = await filesLoadedBy(['--help'])
    expect(stdout).toContain('Usage: switchyard')
    expect(among(files, /\/commander@/).length).toBeGreaterThan(0)
    expect(nouns).toEqual([])
    expect(
      among(
        files,
        /\/shared\/(?!service-kit\/src\/(?:text\/printable|process\/terminal|text\/version)\.ts)|\.pnpm\/(?!commander@)/,
      ),
    ).toEqual([])
    expect(files.length).toBeLessThan(40)
  })

  it('loads for a list its own commands, the contracts, and nothing that it does not use', async () => {
    const registry = await fakeRegistry((_, response) => {
      response.setHeader('content-type', 'application/json').end('{"featureFlags":[]}')
    })
    const { stdout, files, nouns } = await filesLoadedBy(['feature-flag', 'list', '--json'], registry)
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, result: { featureFlags: [] } })
    expect(nouns).toEqual(['feature-flag'])
    const used =
      /\/shared\/(?!contracts|values\/|guards\/src\/(?:schemas|guards|judgement|figures|clusters|latency-buckets|quantiles)\.ts|composition\/src\/(?:printing|documents\/token)|service-kit\/src\/(?:pieces\/gathered-pieces|text\/printable|process\/terminal|text\/version|traces\/traceparent)\.ts)/
    expect(among(files, used)).toEqual([])
    expect(among(files, /\.pnpm\/(?!(?:commander|get-east-asian-width|zod)@)/)).toEqual([])
    // Two thirds of them are zod's; all others are named above. What a list has no use for is usually a
    // library.
    expect(files.length).toBeLessThan(220)
  })

  it('loads the stitching library, graphql-js and the engine only when they are used', async () => {
    const { stdout, files } = await filesLoadedBy(['router', 'verify', '--help'])
    expect(stdout).toContain('--operation-count')
    expect(among(files, /graphql-tools|\/graphql@|shared\/(?:samples|second-opinion|engine)\//)).toEqual([])
  })
})

describe('switchyard on the PATH', () => {
  const graph = {
    'graph.yaml':
      'version: 1\nsubgraphs:\n  - { name: a, routing_url: "http://a/graphql", schema: { file: a.graphql } }\n',
    'a.graphql': 'type Query { a: Int }\n',
  }
  const compose = ['router', 'compose', '--input', 'graph.yaml', '--out', 'config.json']

  it('works from any folder through links, and finds files from where the user is', async () => {
    const cwd = await createFolder(graph)
    await symlink(LAUNCHER, join(cwd, 'first'))
    await symlink('first', join(cwd, 'switchyard'))
    const { stdout } = await run('./switchyard', compose, { cwd, env: { PATH } })
    expect(stdout).toContain('config.json is written.')
  })

  it('starts where nothing that was compiled can be kept', async () => {
    const env = { PATH, NODE_COMPILE_CACHE: join(CHECKOUT, 'package.json/nothing') }
    const { stdout, stderr } = await run(LAUNCHER, ['--version'], { env })
    expect({ stdout, stderr }).toEqual({ stdout: '0.1.0\n', stderr: '' })
  })

  it('is put there by the bootstrap, and says what to do in a checkout that is not set up', async () => {
    const checkout = await realpath(await createFolder({}))
    await mkdir(join(checkout, '.tools/bin'), { recursive: true })
    for (const path of ['scripts/bootstrap.sh', 'scripts/switchyard', 'package.json']) {
      await cp(join(CHECKOUT, path), join(checkout, path))
    }
    const { packageManager } = JSON.parse(await readFile(join(CHECKOUT, 'package.json'), 'utf8'))
    await symlink(process.execPath, join(checkout, '.tools/bin/node'))
    const pnpm = join(checkout, '.tools/bin/pnpm')
    await writeFile(pnpm, `#!/bin/sh\necho ${packageManager.split('@')[1]}\n`)
    await chmod(pnpm, 0o755)
    await run(join(checkout, 'scripts/bootstrap.sh'), { env: { PATH } })
    const started = run(join(checkout, '.tools/bin/switchyard'), ['--help'], { env: { PATH } })
    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr: `error: Switchyard is not set up in this checkout yet. Run "make install" in ${checkout}.\n`,
    })
  })
})
