/**
 * `node warm-up.ts <image>`: runs the program of an image once while the image is built, so that what V8
 * compiles for it is in the image (`NODE_COMPILE_CACHE`) and a container starts sooner.
 *
 * A service is started with nothing behind it, asked for its health until it answers, and ended by SIGTERM,
 * as `docker stop` does: one that does not start, or does not stop in order, breaks the build. Imports
 * nothing, since it is not part of the image.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

type WarmUp = {
  readonly program: string
  /** Run to their end before the service. */
  readonly commands?: readonly (readonly string[])[]
  readonly environment?: Readonly<Record<string, string>>
  /** The port of the service. Absent if the image runs no service. */
  readonly port?: number
}

const WITHIN_MS = 300_000
/** The URL of a NATS server that nobody runs. */
const NATS = { SWITCHYARD_NATS_URL: 'nats://127.0.0.1:1' }
const KEYS = ['/tmp/signing-key.json', '/tmp/config-keys.json'] as const

const WARM_UPS: Readonly<Record<string, WarmUp>> = {
  registry: {
    program: 'services/registry/src/main.ts',
    environment: { ...NATS, SWITCHYARD_BOOTSTRAP_API_KEY: 'of-a-service-that-nobody-reaches' },
    port: 4100,
  },
  composer: { program: 'services/composer/src/main.ts', environment: NATS, port: 4200 },
  'config-distribution': {
    program: 'services/config-distribution/src/main.ts',
    commands: [['create-signing-key', ...KEYS]],
    environment: {
      ...NATS,
      SWITCHYARD_REDIS_URL: 'redis://127.0.0.1:1',
      SWITCHYARD_SIGNING_KEY_FILE: KEYS[0],
    },
    port: 4300,
  },
  router: {
    program: 'services/router/src/main.ts',
    environment: { SWITCHYARD_SUPERGRAPH: '/docker/build/warm-up.graphql' },
    port: 4000,
  },
  cli: { program: 'services/cli/src/main.ts', commands: [['--help'], ['graph', 'list', '--help']] },
  'demo-subgraphs': { program: 'infra/demo/src/serve-subgraphs.ts', port: 4400 },
}

const image = process.argv[2] ?? ''
const warmUp = WARM_UPS[image]
if (warmUp === undefined) throw new Error(`Usage: warm-up.ts <${Object.keys(WARM_UPS).join('|')}>`)
for (const args of warmUp.commands ?? []) await run(warmUp, args)
if (warmUp.port !== undefined) await serve(warmUp, warmUp.port)

async function run(warmUp: WarmUp, args: readonly string[]): Promise<void> {
  await succeeded(start(warmUp, args))
}

async function serve(warmUp: WarmUp, port: number): Promise<void> {
  const child = start(warmUp, [])
  const success = succeeded(child)
  const served = untilItServes(`http://127.0.0.1:${port}/health/live`)
  await Promise.race([served, success.then(() => Promise.reject(new Error('It ended before it served.')))])
  child.kill('SIGTERM')
  await success
}

function start({ program, environment }: WarmUp, args: readonly string[]) {
  return spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...environment, SWITCHYARD_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function succeeded(child: ReturnType<typeof start>): Promise<void> {
  const [code]: unknown[] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The program of the image ${image} ended with ${String(code)}.`)
}

async function untilItServes(url: string): Promise<void> {
  const deadline = performance.now() + WITHIN_MS
  for (;;) {
    const response = await fetch(url).catch(() => null)
    if (response?.status === 200) return
    if (performance.now() > deadline) throw new Error(`${url} did not answer 200.`)
    await sleep(50)
  }
}
