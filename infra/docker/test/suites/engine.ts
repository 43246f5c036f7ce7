/** The engine that all suites work on, and the images that it built. */
import { fileURLToPath } from 'node:url'
import { type Engine, engineMissing, openEngine, runProgram } from '../../src/index.ts'

export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
export const IMAGE_PREFIX = 'switchyard-test/'
/** Of each suite, the first of which builds. */
export const BUILD_WITHIN_MS = 1_800_000

/** Why nothing of this can be tested here, or null. */
export const noEngine = await engineMissing()

/** Whether the engine runs on this machine for others as well. */
export const isOfMachine = noEngine === null && (await runProgram('docker', ['info'])).code === 0

let opened: Promise<Engine> | null = null

export async function engineWithImages(): Promise<Engine> {
  opened ??= build(await openEngine())
  return opened
}

export async function closeEngine(): Promise<void> {
  if (opened !== null) await (await opened)[Symbol.asyncDispose]()
}

async function build(engine: Engine): Promise<Engine> {
  const built = await runProgram('infra/docker/build-images.sh', [], {
    cwd: ROOT,
    env: { ...engine.env, IMAGE_PREFIX },
  })
  if (built.code === 0) return engine
  await engine[Symbol.asyncDispose]()
  throw new Error(`The images were not built:\n${built.stderr.slice(-8_000)}`)
}
