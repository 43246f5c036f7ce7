/** Which registry a command asks, and with which key. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findRegistry } from '../src/registry/find-registry.ts'
import { fakeRegistry } from './fake-registry.ts'
import { runCommand } from './run-command.ts'
import { createFolder } from './workspace.ts'

type Asked = { readonly name: string; readonly key: string | undefined }

/**
 * Two registries that note who was asked with which key, and a folder that `up` left the address of the first
 * one in.
 */
async function world(files: Readonly<Record<string, string>> = {}) {
  const asked: Asked[] = []
  const [folder = '', other = ''] = await Promise.all(
    ['folder', 'other'].map(async (name) => {
      const env = await fakeRegistry((request, response) => {
        asked.push({ name, key: request.headers.authorization?.replace('Bearer ', '') })
        response.setHeader('content-type', 'application/json').end('{"namespaces":[]}')
      })
      return env['SWITCHYARD_REGISTRY_URL']
    }),
  )
  const cwd = await createFolder({
    '.switchyard/api-key': 'key-of-folder\n',
    '.switchyard/registry-url': `${folder}\n`,
    ...files,
  })
  const list = async (args: readonly string[], env: Readonly<Record<string, string>> = {}, from = cwd) => {
    asked.length = 0
    const run = await runCommand(['namespace', 'list', ...args], { cwd: from, env })
    return { ...run, asked: [...asked] }
  }
  return { folder, other, cwd, list }
}

describe('the registry of a command', () => {
  it('is the one whose address and key "up" left in this folder, or in the data directory that is named', async () => {
    const { cwd, list } = await world()
    const ours = [{ name: 'folder', key: 'key-of-folder' }]
    expect(await list([])).toMatchObject({ exitCode: 0, asked: ours })
    const elsewhere = await createFolder({})
    const dataDir = join(cwd, '.switchyard')
    expect(await list(['--data-dir', dataDir], {}, elsewhere)).toMatchObject({ asked: ours })
    expect(await list([], { SWITCHYARD_DATA_DIR: dataDir }, elsewhere)).toMatchObject({ asked: ours })
    const environment = { SWITCHYARD_REGISTRY_URL: 'http://127.0.0.1:1', SWITCHYARD_API_KEY: 'k' }
    expect(await list(['--data-dir', dataDir], environment, elsewhere)).toMatchObject({ asked: ours })
  })

  it('is the one that an option names, before the environment, before the folder', async () => {
    const { other, list } = await world()
    const theirs = [{ name: 'other', key: 'key-of-folder' }]
    expect(await list([], { SWITCHYARD_REGISTRY_URL: other })).toMatchObject({ asked: theirs })
    const wrong = { SWITCHYARD_REGISTRY_URL: 'http://127.0.0.1:1' }
    expect(await list(['--registry-url', `${other}/`], wrong)).toMatchObject({ asked: theirs })
    const withDirectory = ['--registry-url', other, '--data-dir', '.switchyard']
    expect(await list(withDirectory)).toMatchObject({ asked: theirs })
  })

  it('is never one that only a folder names when the key is from the environment', async () => {
    const { cwd, other, list } = await world()
    const key = { SWITCHYARD_API_KEY: 'key-of-environment' }
    expect(await findRegistry({ cwd, env: key }, {})).toMatchObject({
      address: { origin: 'http://localhost:4100', from: 'default' },
      key: 'key-of-environment',
      keyFrom: 'SWITCHYARD_API_KEY',
    })
    expect(await list([], { ...key, SWITCHYARD_REGISTRY_URL: other })).toMatchObject({
      asked: [{ name: 'other', key: 'key-of-environment' }],
    })
  })

  it('is said to be gone, with the file that names it, when "up" was killed', async () => {
    const { cwd, list } = await world({ '.switchyard/registry-url': 'http://127.0.0.1:1\n' })
    const run = await list([])
    expect(run).toMatchObject({ exitCode: 3, stdout: '' })
    expect(run.stderr).toMatch(/The registry at http:\/\/127\.0\.0\.1:1 cannot be reached: /)
    expect(run.stderr).toContain(`The address is from ${cwd}/.switchyard/registry-url`)
    expect(run.stderr).toContain('it was killed, or is not up yet. Start it again, or name another address')
  })

  it('is refused when its address is none', async () => {
    const { cwd, list } = await world({ '.switchyard/registry-url': 'localhost\n' })
    expect(await list([])).toMatchObject({
      exitCode: 2,
      stderr: `error: ${cwd}/.switchyard/registry-url holds something else than the address of a registry: http:// or https:// is missing; did you mean "http://localhost"?\n`,
    })
    expect(await list(['--registry-url', 'localhost:4100'])).toMatchObject({
      exitCode: 2,
      stderr:
        'error: --registry-url is "localhost:4100": http:// or https:// is missing; did you mean "http://localhost:4100"?\n',
    })
    await mkdir(join(cwd, 'empty'))
    await writeFile(join(cwd, 'empty/registry-url'), '\n')
    expect(await list(['--data-dir', 'empty'])).toMatchObject({ exitCode: 2 })
  })

  it('completes names from the registry that the line names', async () => {
    const { other, cwd } = await world()
    const words = ['graph', 'list', '--registry-url', other, '-n', '']
    expect(await runCommand(['__complete', '--', ...words], { cwd })).toMatchObject({ exitCode: 0 })
    const wrong = ['graph', 'list', '--registry-url', 'x', '-n', '']
    expect(await runCommand(['__complete', '--', ...wrong], { cwd })).toMatchObject({ exitCode: 0 })
  })
})

describe('an API key that is refused', () => {
  it.each([
    [401, 'UNAUTHENTICATED', /does not know the API key that was sent, from /],
    [403, 'FORBIDDEN', /^error: The scope "admin" is needed\. The API key that was sent is from /],
  ])('is told by where it is from, and by the one that was not used (%i)', async (status, code, says) => {
    const keys = ['swy_env_secret', 'swy_file_secret']
    const cwd = await createFolder({ '.switchyard/api-key': 'swy_file_secret\n' })
    const { SWITCHYARD_REGISTRY_URL: url = '' } = await fakeRegistry((_request, response) => {
      const problem = {
        type: 'about:blank',
        title: code,
        status,
        code,
        detail: 'The scope "admin" is needed.',
      }
      response.writeHead(status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem))
    })
    const file = join(cwd, '.switchyard/api-key')
    const env = { SWITCHYARD_REGISTRY_URL: url }
    const withKey = { ...env, SWITCHYARD_API_KEY: 'swy_env_secret' }
    const asked = async (line: string, variables: Readonly<Record<string, string>>, folder = cwd) => {
      const { exitCode, stderr } = await runCommand(line.split(' '), { cwd: folder, env: variables })
      expect(exitCode).toBe(1)
      expect(stderr).toMatch(says)
      for (const key of keys) expect(stderr).not.toContain(key)
      return stderr
    }
    expect(await asked('namespace list', withKey)).toContain(
      `from SWITCHYARD_API_KEY (the one in ${file} was not used)`,
    )
    expect(await asked('namespace list --data-dir .switchyard', withKey)).toContain(
      `from ${file} (the one in SWITCHYARD_API_KEY was not used)`,
    )
    for (const stderr of [
      await asked('namespace list', env),
      await asked('namespace list', withKey, await createFolder({})),
    ])
      expect(stderr).not.toContain('was not used')
  })
})
