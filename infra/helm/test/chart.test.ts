/**
 * The files of the chart that are kept in the repository; what Helm makes of them is in helm.full.test.ts.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { generatedFiles } from '../src/generated-files.ts'
import { ROOT } from '../src/paths.ts'
import { valuesSchema } from '../src/values-schema.ts'
import { expectInvariants } from './invariants.ts'
import { examples, keptManifests, objectsIn, podsOf, read } from './objects.ts'

const values = read('infra/helm/switchyard/values.yaml')
const validate = new Ajv({ allowUnionTypes: true, strict: false }).compile(valuesSchema())

function mistakesIn(text: string): readonly string[] {
  validate(parse(text))
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`)
}

describe('files that are written from others', () => {
  it.each(generatedFiles())('$path is what infra/helm/src/write-generated.ts writes', ({ path, text }) => {
    expect(readFileSync(path, 'utf8')).toBe(text)
  })
})

describe('values', () => {
  it('fit the schema, with every key that the schema knows', () => {
    expect(mistakesIn(values)).toEqual([])
    expect(keysOfSchema(valuesSchema()).filter((key) => !keysOfValue(parse(values)).has(key))).toEqual([])
  })

  it.each(examples())('of %s fit it', (_, text) => {
    expect(mistakesIn(text)).toEqual([])
  })

  it('explain what they are for: of every section and of every key that Kubernetes does not know', () => {
    const reference = generatedFiles().find(({ path }) => path.endsWith('README.md'))?.text ?? ''
    const unexplained = [...reference.matchAll(/^\| `([^`]+)` \| `[^`]*` \|\s*\|$/gm)].map(
      ([, key = '']) => key,
    )
    const KNOWN =
      /(?:enabled|annotations|labels|hosts|replicas|env|resources\.\w+|service\.\w+|className|parentRefs|hostnames|maxUnavailable|podAnnotations|podLabels|nodeSelector|tolerations|affinity|priorityClassName|minReplicas|maxReplicas|metric|key|interval|scrapeTimeout|pullPolicy|terminationGracePeriodSeconds|secret|nginx\.\S+|registryClients|redis)$/
    expect(unexplained.filter((key) => !KNOWN.test(key))).toEqual([])
  })

  it('name a metric that the router has', () => {
    const { metric } = (
      parse(values) as { router: { autoscaling: { requestsInFlight: { metric: string } } } }
    ).router.autoscaling.requestsInFlight
    const names = [...read('docs/metrics.md').matchAll(/^\| `([a-z_.]+)` \| gauge/gm)].map(
      ([, name = '']) => name,
    )
    expect(names.map((name) => name.replaceAll('.', '_'))).toContain(metric)
  })
})

describe('plain manifests', () => {
  const objects = [...keptManifests()].flatMap(([file, text]) =>
    file === 'kustomization.yaml' ? [] : objectsIn(text),
  )

  it('hold every service', () => {
    expect(podsOf(objects).map(([component]) => component)).toEqual([
      'composer',
      'config-distribution',
      'registry',
      'router',
    ])
  })

  it('keep to what holds for all of them', () => {
    expectInvariants(objects)
  })

  it('are listed in the kustomization', () => {
    const { resources } = parse(keptManifests().get('kustomization.yaml') ?? '') as { resources: string[] }
    expect([...resources, 'kustomization.yaml'].sort()).toEqual([...keptManifests().keys()].sort())
  })
})

describe('the keys that infra/docker/src/make-keys.ts prints', () => {
  const printed = spawnSync(process.execPath, [join(ROOT, 'infra/docker/src/make-keys.ts'), '--kubernetes'], {
    encoding: 'utf8',
    env: { ...process.env, NATS_ADDRESS: 'nats.example:4222', REDIS_ADDRESS: 'redis.example:6379' },
  })
  const { items } = JSON.parse(printed.stdout) as {
    items: { kind: string; metadata: { name: string }; stringData: Record<string, string> }[]
  }
  const secrets = new Map(items.map(({ metadata, stringData }) => [metadata.name, stringData]))

  it('are all that the services take from Secrets, each its own, and nothing else', () => {
    expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(['Secret']))
    const objects = [...keptManifests().values()].flatMap((text) => objectsIn(text))
    for (const [component, pod] of podsOf(objects)) {
      const name = `switchyard-${component}`
      const variables = pod.containers.flatMap(({ env }) =>
        env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []),
      )
      expect(new Set(variables.map((reference) => reference.name))).toEqual(new Set([name]))
      // A registry has to run before it can make the key for ramps.
      const files = (pod.volumes ?? []).flatMap(({ secret }) =>
        secret?.optional === true ? [] : (secret?.items ?? []),
      )
      const taken = [...variables, ...files].map(({ key }) => key)
      expect(taken.sort()).toEqual(Object.keys(secrets.get(name) ?? {}).sort())
    }
  })

  it('let the job that makes backups in as a user of its own', () => {
    expect(secrets.get('switchyard-backup')?.['SWITCHYARD_NATS_URL']).toMatch(
      /^nats:\/\/backup:[\w-]{43}@nats\.example:4222$/,
    )
    expect(secrets.get('switchyard-nats')?.['nats.conf']).toContain('user: backup')
  })

  it('let routers into the account for events by what the example of the chart mounts', () => {
    const { password, NATS_URL: url } = secrets.get('switchyard-events') ?? {}
    expect(url).toBe(`nats://events:${password?.trim()}@nats.example:4222`)
    expect(secrets.get('switchyard-nats')?.['nats.conf']).toContain(
      `user: events, password: "${password?.trim()}"`,
    )
    const { router } = parse(read('infra/helm/examples/events.yaml')) as {
      router: {
        extraVolumes: [{ secret: { secretName: string; items: [{ key: string; path: string }] } }]
        extraVolumeMounts: [{ mountPath: string }]
        settings: { events: { providers: { default: { url: string; password_file: string } } } }
      }
    }
    const [{ secret }] = router.extraVolumes
    const [{ mountPath }] = router.extraVolumeMounts
    const provider = router.settings.events.providers.default
    expect(secrets.get(secret.secretName)?.[secret.items[0].key]).toBe(password)
    expect(provider.password_file).toBe(`${mountPath}/${secret.items[0].path}`)
    expect(provider.url).toContain('nats://events@')
  })

  it('name the servers that they are for, and leave the private key to the one who signs', () => {
    expect(secrets.get('switchyard-router')?.['SWITCHYARD_NATS_URL']).toMatch(
      /^nats:\/\/router:[\w-]{43}@nats\.example:4222$/,
    )
    expect(secrets.get('switchyard-router')?.['SWITCHYARD_REDIS_URL']).toMatch(
      /^redis:\/\/router:[\w-]{43}@redis\.example:6379\/0$/,
    )
    const signingKey = JSON.parse(
      secrets.get('switchyard-config-distribution')?.['signing-key.json'] ?? '{}',
    ) as { d: string }
    expect(signingKey.d).toMatch(/^[\w-]{43}$/)
    const holders = items.filter(({ stringData }) => JSON.stringify(stringData).includes(signingKey.d))
    expect(holders.map(({ metadata }) => metadata.name)).toEqual(['switchyard-config-distribution'])
  })
})

describe('servers for trying', () => {
  it('are those of Compose, and as locked up as everything else', () => {
    const compose = read('infra/docker/compose.yaml')
    for (const server of ['nats', 'redis']) {
      const text = read(`infra/helm/servers/${server}.yaml`)
      const [, pod] = podsOf(objectsIn(text))[0] ?? ['', undefined]
      expect(compose).toContain(`:-${pod?.containers[0]?.image}}`)
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
          },
        ],
      })
    }
  })
})

type Node = { readonly properties?: Readonly<Record<string, Node>> }

/** Of everything that is closed, but the router's settings, whose defaults are the router's. */
function keysOfSchema({ properties = {} }: Node, path = ''): readonly string[] {
  return Object.entries(properties).flatMap(([key, inner]) => {
    const here = `${path}${key}`
    if (here === 'global') return []
    return here === 'router.settings' ? [here] : [here, ...keysOfSchema(inner, `${here}.`)]
  })
}

function keysOfValue(value: unknown, path = ''): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Set()
  return new Set(
    Object.entries(value).flatMap(([key, inner]) => [
      `${path}${key}`,
      ...keysOfValue(inner, `${path}${key}.`),
    ]),
  )
}
