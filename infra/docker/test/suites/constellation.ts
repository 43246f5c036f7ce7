/** The scenarios of infra/e2e, which run on spawned processes there, on containers of our images. */
import { readFileSync } from 'node:fs'
import type { Constellation } from '@switchyard/e2e'
import { publishUnderFire } from '@switchyard/e2e/publish-under-fire'
import { describeScenario } from '@switchyard/e2e/publish-to-serve'
import { isLongRun } from '@switchyard/testkit'
import { beforeAll, describe, it } from 'vitest'
import { type Engine, runProgram } from '../../src/index.ts'
import { BUILD_WITHIN_MS, engineWithImages, IMAGE_PREFIX, noEngine, ROOT } from './engine.ts'

export function testConstellation(): void {
  describe.skipIf(noEngine !== null)(`testcontainers${noEngine === null ? '' : ` (${noEngine})`}`, () => {
    beforeAll(engineWithImages, BUILD_WITHIN_MS)
    describeScenario('containers of our images', start)

    // What a kill may lose is found with processes, which `make test-full` kills more often in less time.
    it.runIf(isLongRun())('loses nothing acknowledged when containers are killed', () =>
      publishUnderFire(start, { victims: VICTIMS, publishes: 40, kills: 4, leastKills: 1 }),
    )
  })
}

/** One of each kind: a container takes longer to come back than a process. */
const VICTIMS = ['registry-0', 'composer-0', 'config-distribution', 'router-0']

async function start(): Promise<Constellation> {
  const engine = await engineWithImages()
  Object.assign(process.env, engine.env)
  const [nats, redis] = [await imageOf(engine, 'nats'), await imageOf(engine, 'redis')]
  // What testcontainers clears away with is an image itself, which stands on the same registries as that of
  // NATS.
  if (nats.startsWith('switchyard-local/')) process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true'
  const { startInContainers } = await import('@switchyard/e2e/in-containers')
  return startInContainers({ of: (service) => `${IMAGE_PREFIX}${service}:latest`, nats, redis })
}

/** The image that Compose pins or, where that cannot be pulled, one of the program of this machine. */
async function imageOf(engine: Engine, program: 'nats' | 'redis'): Promise<string> {
  const variable = `${program.toUpperCase()}_IMAGE`
  const compose = readFileSync(`${ROOT}/infra/docker/compose.yaml`, 'utf8')
  const pinned = new RegExp(`\\$\\{${variable}:-([^}]+)\\}`).exec(compose)?.[1] ?? ''
  if ((await engine.tryDocker('image', 'inspect', pinned)).code === 0) return pinned
  if ((await engine.tryDocker('pull', '--quiet', pinned)).code === 0) return pinned
  const made = await runProgram('infra/docker/local-images.sh', [program], { cwd: ROOT, env: engine.env })
  const image = new RegExp(`^${variable}=(.+)$`, 'm').exec(made.stdout)?.[1]
  if (image === undefined) throw new Error(`There is no image of ${program}: ${made.stderr}`)
  return image
}
