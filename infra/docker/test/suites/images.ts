/**
 * The images: built from this checkout, looked into, and run as an engine that allows little would run them.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { temporaryDirectory, waitFor } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/index.ts'
import { type LayerFile, unpackImages } from '../support/unpacked-images.ts'
import { BUILD_WITHIN_MS, engineWithImages, IMAGE_PREFIX, noEngine, ROOT } from './engine.ts'

const SERVICES = ['registry', 'composer', 'config-distribution', 'router', 'demo-subgraphs'] as const
const IMAGES = [...SERVICES, 'cli', 'keys'] as const
const MAX_BYTES = 250_000_000
/** What the strictest of engines would say: nothing to write to, no capability, no way to get one. */
const STRICT = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']

/** What a service is started with; nothing listens there. */
const ENVIRONMENT: Readonly<Record<(typeof SERVICES)[number], readonly string[]>> = {
  registry: ['SWITCHYARD_NATS_URL=nats://127.0.0.1:1', 'SWITCHYARD_BOOTSTRAP_API_KEY=at-least-16-characters'],
  composer: ['SWITCHYARD_NATS_URL=nats://127.0.0.1:1'],
  'config-distribution': [
    'SWITCHYARD_NATS_URL=nats://127.0.0.1:1',
    'SWITCHYARD_REDIS_URL=redis://127.0.0.1:1',
    'SWITCHYARD_SIGNING_KEY_FILE=/run/switchyard/signing-key.json',
  ],
  router: ['SWITCHYARD_SUPERGRAPH=/etc/supergraph.graphql'],
  'demo-subgraphs': [],
}

type Inspected = {
  readonly Size: number
  readonly Config: {
    readonly User: string
    readonly StopSignal: string
    readonly Labels: Readonly<Record<string, string>>
    readonly Env: readonly string[]
    readonly Entrypoint: readonly string[]
    readonly Healthcheck?: { readonly Test: readonly string[] }
  }
}

export function testImages(): void {
  describe.skipIf(noEngine !== null)(`images${noEngine === null ? '' : ` (${noEngine})`}`, () => {
    let engine: Engine
    const started: string[] = []
    const image = (name: string) => `${IMAGE_PREFIX}${name}:latest`

    beforeAll(async () => {
      engine = await engineWithImages()
    }, BUILD_WITHIN_MS)

    afterAll(async () => {
      if (started.length > 0) await engine.tryDocker('rm', '--force', '--volumes', ...started)
    })

    async function inspect(name: string): Promise<Inspected> {
      const [inspected] = JSON.parse(await engine.docker('image', 'inspect', image(name))) as Inspected[]
      if (inspected === undefined) throw new Error(`${name} is not an image`)
      return inspected
    }

    async function run(...args: readonly string[]): Promise<string> {
      const container = await engine.docker('run', '--detach', ...STRICT, ...args)
      started.push(container)
      return container
    }

    async function health(container: string): Promise<string> {
      return engine.docker('inspect', '--format', '{{.State.Health.Status}}', container)
    }

    async function untilHealthy(container: string): Promise<void> {
      await waitFor(
        'the container to be healthy',
        async () => {
          if ((await health(container)) === 'healthy') return true
          throw new Error((await engine.tryDocker('logs', container)).stdout)
        },
        { everyMs: 100 },
      )
    }

    /** A volume for /run/switchyard with the keys of config-distribution, made by its own image. */
    async function keys(): Promise<string> {
      const volume = await engine.docker('volume', 'create')
      const files = ['/run/switchyard/signing-key.json', '/run/switchyard/config-keys.json']
      const mount = `${volume}:/run/switchyard`
      const args = ['--rm', ...STRICT, '--volume', mount, image('config-distribution'), 'create-signing-key']
      await engine.docker('run', ...args, ...files)
      return mount
    }

    async function startService(
      name: (typeof SERVICES)[number],
      ...more: readonly string[]
    ): Promise<string> {
      const supergraph = `${ROOT}/infra/docker/build/warm-up.graphql:/etc/supergraph.graphql:ro`
      const mount = name === 'config-distribution' ? await keys() : supergraph
      const environment = ENVIRONMENT[name].flatMap((variable) => ['--env', variable])
      return run('--health-interval', '1s', '--volume', mount, ...environment, ...more, image(name))
    }

    it.each(IMAGES)('%s is small, runs as a numbered user, and says what it is', async (name) => {
      const { Size, Config } = await inspect(name)
      expect(Size).toBeLessThan(MAX_BYTES)
      expect(Config.User).toBe('65532:65532')
      expect(Config.StopSignal).toBe('SIGTERM')
      expect(Config.Entrypoint[0]).toBe('node')
      expect(Config.Labels).toMatchObject({
        'org.opencontainers.image.licenses': 'Apache-2.0',
        'org.opencontainers.image.title': expect.stringContaining('Switchyard') as string,
        'org.opencontainers.image.description': expect.any(String) as string,
        'org.opencontainers.image.version': '0.1.0',
        'org.opencontainers.image.revision': expect.stringMatching(/^[0-9a-f]{40}$/) as string,
        'org.opencontainers.image.base.name': expect.stringContaining('node') as string,
      })
      const check = Config.Healthcheck?.Test.slice(0, 2)
      expect(check).toEqual(name === 'cli' || name === 'keys' ? undefined : ['CMD', 'node'])
    })

    describe('unpacked,', () => {
      let folder: string
      let unpacked: ReadonlyMap<string, readonly LayerFile[]>
      /** Paths of files with a secret. A file of several images is read once. */
      const withSecret = new Map<string, Promise<boolean>>()

      beforeAll(async () => {
        folder = await mkdtemp(join(tmpdir(), 'switchyard-images-'))
        unpacked = await unpackImages(engine, IMAGES.map(image), folder)
      })
      afterAll(() => rm(folder, { recursive: true, force: true }))

      async function hasSecret(path: string): Promise<boolean> {
        const known = withSecret.get(path) ?? readFile(path, 'latin1').then((text) => SECRETS.test(text))
        withSecret.set(path, known)
        return known
      }

      it.each(IMAGES)(
        '%s holds its production dependencies with a list of them, no shell, no test, no secret',
        async (name) => {
          const files = unpacked.get(image(name)) ?? []
          const names = files.map((file) => file.name)
          expect(names.filter((file) => /\/(?:sh|bash|busybox|npm|pnpm|apt)$/.test(file))).toEqual([])
          expect(
            names.filter((file) => /\.test\.ts$|\/(?:vitest|typescript|playwright-core)\//.test(file)),
          ).toEqual([])
          expect(
            names.filter((file) => /\/(?:\.npmrc|\.git|\.netrc|[^/]*signing-key[^/]*\.json)$/.test(file)),
          ).toEqual([])
          for (const file of files) {
            if (file.name.endsWith('/node') || file.name.includes('.so')) continue
            expect((await hasSecret(file.path)) ? file.name : '').toBe('')
          }
          const list = files.find((file) => file.name === '/app/sbom.cdx.json')
          const sbom = JSON.parse(await readFile(list?.path ?? '', 'utf8')) as {
            bomFormat: string
            components: { name: string; group?: string; version: string }[]
          }
          expect(sbom.bomFormat).toBe('CycloneDX')
          const listed = new Set(
            sbom.components.map((part) => `${part.group === undefined ? '' : `${part.group}/`}${part.name}`),
          )
          const installed = new Set(
            names
              .map(
                (file) =>
                  /\/node_modules\/\.pnpm\/[^/]+\/node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(
                    file,
                  )?.[1],
              )
              .filter((found) => found !== undefined),
          )
          expect(installed.size).toBeGreaterThan(5)
          expect([...installed].filter((part) => !listed.has(part))).toEqual([])
        },
      )
    })

    it.each(SERVICES)(
      '%s starts without anything to write to, is healthy, and stops in order',
      async (name) => {
        const container = await startService(name)
        await untilHealthy(container)
        await engine.docker('stop', '--time', '30', container)
        expect(await engine.docker('inspect', '--format', '{{.State.ExitCode}}', container)).toBe('0')
        const { stdout, stderr } = await engine.tryDocker('logs', container)
        expect(stdout).toContain('"event":"process.stopping"')
        expect(stderr).toBe('')
      },
    )

    it('tells that a service is not well', async () => {
      const container = await startService('composer')
      await untilHealthy(container)
      const asked = (port: string, check: string) =>
        engine.tryDocker('exec', '--env', `SWITCHYARD_PORT=${port}`, container, 'node', CHECK_HEALTH, check)
      expect(await asked('4200', 'live')).toMatchObject({ code: 0 })
      expect(await asked('4200', 'ready')).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('NATS at 127.0.0.1:1 cannot be reached') as string,
      })
      expect(await asked('4201', 'live')).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('ECONNREFUSED') as string,
      })
      expect(await asked('none', 'live')).toMatchObject({ code: 2 })
    })

    it('a router that is stopped answers what it had begun', async () => {
      await using folder = await temporaryDirectory()
      const network = await engine.docker('network', 'create', `switchyard-test-${process.pid}`)
      try {
        const onNetwork = ['--network', network]
        const asSlow = [
          ...onNetwork,
          '--network-alias',
          'slow',
          '--entrypoint',
          'node',
          image('demo-subgraphs'),
        ]
        const slow = await run(...asSlow, '--input-type=module', '--eval', SLOW_SUBGRAPH)
        const supergraph = await readFile(`${ROOT}/infra/docker/build/warm-up.graphql`, 'utf8')
        const withSlow = join(folder.path, 'slow.graphql')
        await writeFile(withSlow, supergraph.replace('http://127.0.0.1:1/', 'http://slow:4000/'))
        const graph = ['--volume', `${withSlow}:/etc/slow.graphql:ro`]
        const settings = [...graph, '--env', 'SWITCHYARD_SUPERGRAPH=/etc/slow.graphql']
        const router = await startService('router', ...onNetwork, '--publish', '127.0.0.1::4000', ...settings)
        await untilHealthy(router)
        const address = (await engine.docker('port', router, '4000/tcp')).split('\n')[0] ?? ''
        const answer = fetch(`http://${address}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: '{ hello }' }),
        })
        await waitFor('the subgraph to be asked', async () => (await logs(slow)).includes('asked'))
        const stopped = engine.docker('stop', '--time', '30', router)
        await waitFor('the router to drain', async () => (await logs(router)).includes('router.draining'))
        await engine.docker('kill', '--signal', 'SIGHUP', slow)
        expect(await (await answer).json()).toEqual({ data: { hello: 'late' } })
        await stopped
        expect(await engine.docker('inspect', '--format', '{{.State.ExitCode}}', router)).toBe('0')
      } finally {
        await engine.tryDocker('rm', '--force', '--volumes', ...started.splice(0))
        await engine.docker('network', 'rm', network)
      }
    })

    async function logs(container: string): Promise<string> {
      return (await engine.tryDocker('logs', container)).stdout
    }

    it('serves metrics of a container outside of it', async () => {
      const router = await startService('router', '--publish', '127.0.0.1::9464')
      await untilHealthy(router)
      const address = (await engine.docker('port', router, '9464/tcp')).split('\n')[0] ?? ''
      expect(await (await fetch(`http://${address}/metrics`)).text()).toContain(
        'switchyard_router_generations',
      )
    })

    it('cli runs commands, and everything in one process', async () => {
      const { stdout } = await engine.tryDocker('run', '--rm', ...STRICT, image('cli'), '--help')
      expect(stdout).toContain('Usage: switchyard')
      const volume = await engine.docker('volume', 'create')
      const mount = ['--volume', `${volume}:/var/lib/switchyard`, '--publish', '127.0.0.1::4000']
      const up = await run(...mount, image('cli'), 'up', '--host', '0.0.0.0', '--graph', 'default/shop')
      await waitFor('up to serve', async () => (await logs(up)).includes('4000'))
      const inside = ['exec', up, 'node', '/app/services/cli/src/main.ts']
      await engine.docker(...inside, 'federated-graph', 'create', 'shop', '--label-matcher', 'team=web')
      expect(await engine.docker(...inside, 'graph', 'list')).toContain('shop')
      await engine.docker('stop', '--time', '30', up)
      expect(await engine.docker('inspect', '--format', '{{.State.ExitCode}}', up)).toBe('0')
    })
  })
}

const CHECK_HEALTH = '/app/shared/service-kit/src/check-health/main.ts'
/** Private keys (PEM, JWK), and API keys as the registry makes them. */
const SECRETS =
  /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s*\n[A-Za-z0-9+/=]{40}|"d"\s*:\s*"[\w-]{43}"|\bswy_[A-Za-z0-9]+_[\w-]{43}\b/

/** Answers when it is told to, by a signal. */
const SLOW_SUBGRAPH = `
import { createServer } from 'node:http'
const waiting = []
process.on('SIGHUP', () => waiting.splice(0).forEach((answer) => answer()))
createServer((request, response) => {
  console.log('asked')
  waiting.push(() => response.setHeader('content-type', 'application/json').end('{"data":{"hello":"late"}}'))
}).listen(4000)
`
