/** The platform that Studio is measured on, in a process of its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory } from '@switchyard/testkit'
import { z } from 'zod'
import { type ManagementClient, managementClient } from './management-client.ts'
import { Spent } from './platform-questions.ts'

const Begun = z.object({ url: z.string(), key: z.string() })
const PROGRAM = fileURLToPath(new URL('platform-program.ts', import.meta.url))

export type Platform = AsyncDisposable & {
  readonly url: string
  readonly key: string
  readonly client: ManagementClient
  /** CPU that the process has had, and its longest turn since the last question. */
  spent(): Promise<Spent>
}

/**
 * Starts the platform and fills it, which takes some minutes. With `dataDir` it is kept there, and filled
 * only if it is empty. A folder for profiles gets one of the CPU of each thread when the process ends.
 */
export async function startPlatform({ dataDir = '', profiles = '' } = {}): Promise<Platform> {
  await using stack = new AsyncDisposableStack()
  const path = dataDir === '' ? stack.use(await temporaryDirectory()).path : dataDir
  await mkdir(path, { recursive: true })
  const execArgv = profiles === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`]
  const child = fork(PROGRAM, [path], {
    execArgv: ['--disable-warning=ExperimentalWarning', ...execArgv],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  stack.defer(() => stopped(child))
  const { url, key } = await message(child, Begun)
  const owned = stack.move()
  return {
    url,
    key,
    client: managementClient(url, key),
    spent() {
      child.send('spent')
      return message(child, Spent)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Returns the next message of the process. */
async function message<Message>(child: ChildProcess, form: z.ZodType<Message>): Promise<Message> {
  const stop = new AbortController()
  const ended = once(child, 'exit', { signal: stop.signal }).then(([code]) => {
    throw new Error(`the platform ended with ${code}`)
  })
  ended.catch(() => undefined)
  try {
    const [told]: unknown[] = await Promise.race([once(child, 'message'), ended])
    return form.parse(told)
  } finally {
    stop.abort()
  }
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = once(child, 'exit')
  child.disconnect()
  await exit
}
