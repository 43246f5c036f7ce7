import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { bareEnvironment, programFile } from '@switchyard/testkit'
import { expect } from 'vitest'
import type { Constellation } from '../../../src/index.ts'
import type { Case } from '../case.ts'
import { twoSubgraphs } from '../world.ts'

/**
 * Only where a pseudo-terminal can be had; without one, `SHOWN_ELSEWHERE` names the test that shows the same.
 */
export const terminal: readonly Case[] = hasPseudoTerminal()
  ? [
      {
        rules: ['delete.confirm'],
        it: 'on a terminal a delete tells what goes along and asks; only yes does it',
        async run(world) {
          const space = await twoSubgraphs(world)
          const remove = ['subgraph', 'delete', 'a', '-n', space.name]
          for (const answer of ['n', '']) {
            const refused = await atTerminal(world.system, remove, answer)
            expect(refused.code, refused.output).toBe(1)
            expect(refused.output).toContain('nothing was changed')
          }
          expect(await space.subgraphs()).toHaveLength(3)
          const done = await atTerminal(world.system, remove, 'y')
          expect(done.code, done.output).toBe(0)
          expect(done.output).toContain('a-next')
          expect(done.output).toContain(`Delete subgraph "a" in namespace "${space.name}"? (y/N)`)
          expect((await space.subgraphs()).map(({ name }) => name)).toEqual(['b'])
        },
      },
    ]
  : []

/** `script` of util-linux: others take other options. */
function hasPseudoTerminal(): boolean {
  const { stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' })
  return typeof stdout === 'string' && stdout.includes('util-linux')
}

/** Runs the command line at a pseudo-terminal, and types the answer when it asks. */
async function atTerminal(
  system: Constellation,
  args: readonly string[],
  answer: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const words = [process.execPath, '--disable-warning=ExperimentalWarning']
  const line = [...words, programFile('services/cli/src/main.ts'), ...args]
    .map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
    .join(' ')
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', line, '/dev/null'], {
    cwd: system.folder,
    env: bareEnvironment({
      TERM: 'xterm',
      NO_COLOR: '1',
      SWITCHYARD_REGISTRY_URL: system.registryUrls[0] ?? '',
      SWITCHYARD_API_KEY: system.apiKey,
    }),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  let isAnswered = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (isAnswered || !output.includes('(y/N)')) return
    isAnswered = true
    child.stdin.write(`${answer}\n`)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}
