/** flagd as a process (`scripts/flagd.sh` builds it) splits users as rollouts do. It is asked by OFREP. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, temporaryDirectory, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { flagDefinitions, flagsInside, keysLike } from './flagd-flags.ts'

const PROGRAM = fileURLToPath(new URL('../../../.tools/flagd/0.16.1/flagd', import.meta.url))
/** Requests that are under way at a time. */
const AT_A_TIME = 50

type Flagd = AsyncDisposable & {
  /** Returns the names of the flags that a key has. */
  flagsOn(targetingKey: string): Promise<readonly string[]>
}

async function startFlagd(): Promise<Flagd> {
  await using parts = new AsyncDisposableStack()
  const folder = parts.use(await temporaryDirectory())
  const file = join(folder.path, 'flags.json')
  await writeFile(file, flagDefinitions())
  const [port, management, sync, ofrep] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const options = [
    '--port',
    port,
    '--management-port',
    management,
    '--sync-port',
    sync,
    '--ofrep-port',
    ofrep,
  ]
  const child = spawn(PROGRAM, ['start', ...options.map(String), '--uri', `file:${file}`], {
    stdio: 'ignore',
  })
  const exit = once(child, 'exit')
  parts.defer(async () => {
    child.kill('SIGKILL')
    await exit
  })
  const ask = (targetingKey: string) =>
    fetch(`http://127.0.0.1:${ofrep}/ofrep/v1/evaluate/flags`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ context: { targetingKey } }),
    })
  const answers = () =>
    ask('x').then(
      ({ ok }) => ok,
      () => false,
    )
  const gone = exit.then(([code]) => {
    throw new Error(`flagd ended before it answered, with ${code}.`)
  })
  // It also ends with the test.
  gone.catch(() => {})
  await Promise.race([waitFor('flagd to answer', answers), gone])
  const running = parts.move()
  return {
    flagsOn: async (targetingKey) => {
      const response = await ask(targetingKey)
      const { flags }: { flags: readonly { readonly key: string; readonly value: boolean }[] } = JSON.parse(
        await response.text(),
      )
      return flags.filter(({ value }) => value).map(({ key }) => key)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

describe.skipIf(!existsSync(PROGRAM))('flagd 0.16.1', () => {
  it('has the same users inside of each percentage, beyond ASCII too', async () => {
    await using flagd = await startFlagd()
    const keys = [...keysLike(5000), ...keysLike(500).map((key) => `ключ-😀-${key}`)]
    for (let start = 0; start < keys.length; start += AT_A_TIME) {
      const some = keys.slice(start, start + AT_A_TIME)
      const on = await Promise.all(some.map((key) => flagd.flagsOn(key)))
      expect(some.map((key, index) => [key, on[index]?.toSorted()])).toEqual(
        some.map((key) => [key, flagsInside(key).toSorted()]),
      )
    }
  })
})
