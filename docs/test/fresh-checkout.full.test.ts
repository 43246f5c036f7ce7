/** README.md as somebody follows it who has just cloned the repository, with nothing set up yet. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../shared/testkit/src/index.ts'
import { ROOT } from './pages/commands.ts'
import { commandsFor } from './pages/not-run.ts'
import { PageWorld } from './pages/page-world.ts'

/** Packages come from a registry, as they do for who clones the repository. */
const reason =
  spawnSync('npm', ['ping'], { stdio: 'ignore', timeout: 60_000 }).status === 0
    ? null
    : 'no npm registry answers'

/** All that git would give to somebody who clones, with what is not committed yet. */
function copyCheckout(to: string): void {
  const listed = run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file)))
  const copy = `tar --null -c -T - | tar -x -C '${to}'`
  run('bash', ['-o', 'pipefail', '-c', copy], files.join('\0'))
}

function run(command: string, words: readonly string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd: ROOT, encoding: 'utf8', input })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

describe.skipIf(reason !== null)(`a fresh checkout${reason === null ? '' : ` (${reason})`}`, () => {
  it('runs the demo, is set up, and serves the playground, by the commands of the README', async () => {
    await using place = await temporaryDirectory()
    copyCheckout(place.path)
    await using world = await PageWorld.create({ bin: null })
    const { shell } = world
    await shell.run(`cd '${place.path}'`)
    const printed = new Map<string, string>()
    for (const command of commandsFor('checkout', 'README.md')) printed.set(command, await shell.run(command))
    expect([...printed.keys()].map((command) => command.split(' ')[1])).toEqual([
      'demo',
      'install',
      'PATH="$PWD/.tools/bin:$PATH"',
    ])
    expect(printed.get('make demo')).toContain('verified: a request is traced')
    // Set up by a new enough Node.js, while the next shell has an older one first.
    const older = '#!/bin/sh\\necho "v20.19.0, which knows no TypeScript" >&2\\nexit 1\\n'
    await shell.run(`mkdir older && printf '${older}' >older/node && chmod +x older/node`)
    await shell.run('rm .tools/bin/node && touch shared/playground/src/main.ts')
    await shell.run(`PATH="${dirname(process.execPath)}:$PATH" scripts/bootstrap.sh`)
    await shell.run('PATH="$PWD/older:$PATH" make playground')
    await shell.run(`cd '${world.folder}'`)
    await shell.run('DEV_MODE=true switchyard up')
    expect(await shell.run('command -v switchyard')).toContain(join(place.path, '.tools/bin'))
    expect(await shell.run('curl -s --fail -H "Accept: text/html" localhost:4000/')).toContain('<html')
  }, 900_000)
})
