/**
 * The chart as Helm sees it, and what it renders as Kubernetes sees it. Skipped, with the reason, where there
 * is no Helm.
 */
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { commandsFor } from '../../../docs/test/pages/not-run.ts'
import { helm, helmMissing, kubeconform, template } from '../src/helm.ts'
import { KUBERNETES_VERSIONS } from '../src/kubernetes-schemas.ts'
import { CHART, ROOT } from '../src/paths.ts'
import { plainManifests } from '../src/plain-manifests.ts'
import { expectInvariants, SECRET_VARIABLES } from './invariants.ts'
import {
  examples,
  keptManifests,
  type KubernetesObject,
  objectsIn,
  podsOf,
  read,
  type Rule,
} from './objects.ts'

const reason = helmMissing()
const named = (title: string) => (reason === null ? title : `${title} (${reason})`)

function render(values: string): readonly KubernetesObject[] {
  const { status, stdout, stderr } = template(values)
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return objectsIn(stdout)
}

function objectOf(
  objects: readonly KubernetesObject[],
  kind: string,
  component = 'router',
): KubernetesObject {
  const found = objects.find(
    (object) => object.kind === kind && object.metadata.labels['app.kubernetes.io/component'] === component,
  )
  if (found === undefined) throw new Error(`expected a ${kind} of ${component}`)
  return found
}

describe.skipIf(reason !== null)(named('the chart'), () => {
  it.each(examples())('is linted without complaint with %s', (_, values) => {
    const { stdout, status } = helm(['lint', '--strict', CHART, '-f', '-'], values)
    expect(stdout.match(/\[(?:ERROR|WARNING)\].*/g)).toBeNull()
    expect(status).toBe(0)
  })

  it.each(examples())(
    'renders what Kubernetes accepts, and keeps to what holds for all, with %s',
    (name, values) => {
      for (const version of KUBERNETES_VERSIONS) {
        const { stdout } = template(values, ['--kube-version', version])
        const { status, stdout: verdict } = kubeconform(stdout, version)
        expect(verdict).toMatch(/Invalid: 0, Errors: 0, Skipped: 0/)
        expect(status).toBe(0)
      }
      const objects = render(values)
      expect(podsOf(objects).length).toBe(
        { 'off.yaml': 0, 'minimal.yaml': 1, 'second-graph.yaml': 1, 'production.yaml': 5 }[name] ?? 4,
      )
      expectInvariants(objects)
    },
  )

  it('is refused by a Kubernetes that it does not support', () => {
    expect(template('{}', ['--kube-version', '1.29.9']).stderr).toContain('requires kubeVersion: >=1.30.0-0')
  })

  it.each(['docs/kubernetes.md', 'infra/helm/switchyard/README.md'])(
    'is rendered by the command of %s that installs it',
    (page) => {
      const installs = commandsFor('helm', page).filter((line) => line.startsWith('helm '))
      expect(installs).toHaveLength(1)
      for (const command of installs) {
        const typed = command.replace('my-values.yaml', 'infra/helm/examples/production.yaml')
        // What `install` would give to the cluster, without asking the cluster for its version.
        const [, , ...words] = typed.split(' ')
        const { status, stdout, stderr } = helm(['template', ...words])
        expect([status, stderr]).toEqual([0, ''])
        expect(stdout).toContain('kind: Deployment')
      }
    },
  )

  it.each(['nats', 'redis'])('comes with a server for trying that Kubernetes accepts: %s', (server) => {
    for (const version of KUBERNETES_VERSIONS)
      expect(kubeconform(read(`infra/helm/servers/${server}.yaml`), version)).toMatchObject({ status: 0 })
  })

  it('finds a misspelt key of an object', () => {
    const { stdout } = template('{}')
    const [version] = KUBERNETES_VERSIONS
    expect(kubeconform(stdout.replaceAll('runAsNonRoot', 'runAsNonroot'), version).status).toBe(1)
  })

  it('gives the plain manifests that are kept', () => {
    expect(plainManifests()).toEqual(keptManifests())
  })
})

type Secret = {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly stringData: Readonly<Record<string, string>>
}

describe('the keys of docs/kubernetes.md', () => {
  it('are Secrets with all that the page lists', () => {
    const commands = commandsFor('helm', 'docs/kubernetes.md').filter((line) => !line.startsWith('helm '))
    // What `kubectl` would be given.
    const typed = commands.join('\n').replace(/ \| kubectl .*/, '')
    expect(typed).toContain('make-keys.ts --kubernetes')
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', typed], { cwd: ROOT, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    const { items } = parse(stdout) as { readonly items: readonly Secret[] }
    const secrets = items.map(({ kind, metadata, stringData }) => [
      kind,
      metadata.name,
      Object.keys(stringData).sort(),
    ])
    const listed = [...read('docs/kubernetes.md').matchAll(/^\| `(switchyard-[a-z-]+)` \| (`.*`) \|$/gm)]
    expect(listed).toHaveLength(4)
    for (const [, name = '', keys = ''] of listed)
      expect(secrets).toContainEqual(['Secret', name, keys.replaceAll('`', '').split(', ').sort()])
  })
})

describe.skipIf(reason !== null)(named('values that are wrong'), () => {
  it.each([
    ['router: { replica: 3 }', "at '/router': additional properties 'replica' not allowed"],
    ['routers: {}', "additional properties 'routers' not allowed"],
    ['registry: { replicas: two }', "at '/registry/replicas': got string, want integer"],
    ['router: { settings: { limits: { max_dept: 3 } } }', "additional properties 'max_dept' not allowed"],
    ['router: { graph: shop }', "at '/router/graph'"],
    ['router: { settings: { port: 80 } }', 'router.settings.port: the chart decides it'],
    [
      'router: { settings: { tls: { cert_file: a } } }',
      'name the Secret with the certificate in router.tls.secret',
    ],
    [
      'router: { settings: { engine: { defer_probe_token: 0123456789abcdef } } }',
      "Put it into the router's Secret as ENGINE_DEFER_PROBE_TOKEN and set router.deferProbeToken",
    ],
    [
      'router: { settings: { rollouts: { visitor_cookie_key: 0123456789abcdef0123456789abcdef } } }',
      "Put it into the router's Secret as SWITCHYARD_VISITOR_COOKIE_KEY and set router.visitorCookieKey",
    ],
    [
      'router: { settings: { subgraphs: { allowed_networks: [private] } } }',
      'use router.subgraphNetworks, which network policies follow as well',
    ],
    [
      'router: { settings: { shutdown: { drain_timeout: 2 min } } }',
      "at '/router/settings/shutdown/drain_timeout': '2 min' does not match pattern",
    ],
    [
      // The pods are given as long to stop, so it has to be known here.
      'router: { settings: { shutdown: { drain_timeout: "${WAIT}" } } }',
      'router.settings.shutdown.drain_timeout is "${WAIT}": expected a duration such as 500ms, 30s or 10m',
    ],
    [
      'router: { terminationGracePeriodSeconds: 40 }',
      'is 40: expected more than the 40 s that pre_stop_delay and drain_timeout of router.settings.shutdown take',
    ],
    [
      'router: { autoscaling: { enabled: true, cpu: 0 } }',
      'has nothing to go by: set cpu, requestsInFlight.target',
    ],
    [
      'router: { autoscaling: { enabled: true, minReplicas: 20 } }',
      'maxReplicas is 10: expected no less than minReplicas, 20',
    ],
    ['router: { ingress: { enabled: true } }', 'router.ingress.hosts is empty'],
    ['registry: { httpRoute: { enabled: true } }', 'registry.httpRoute.parentRefs is empty'],
    ['metrics: { enabled: false, serviceMonitor: { enabled: true } }', 'set metrics.enabled as well'],
    [
      'composer: { memory: 4096 }',
      'composer.resources.limits.memory is 3Gi: expected at least 4596Mi, which is composer.memory (4096 MiB) for each of composer.workers (1)',
    ],
    [
      'composer: { workers: 4, resources: { limits: { memory: 8G } } }',
      'composer.resources.limits.memory is 8G: expected at least 8692Mi',
    ],
    ['router: { subgraphNetworks: [publik] }', "at '/router/subgraphNetworks/0': 'publik' does not match"],
    ['router: { subgraphNetworks: [10.0.0.0/33] }', "at '/router/subgraphNetworks/0'"],
    ['registry: { trustedProxies: [load-balancer] }', "at '/registry/trustedProxies/0'"],
    [
      'router: { settings: { traffic: { trusted_proxies: [10.0.0.256] } } }',
      "at '/router/settings/traffic/trusted_proxies/0'",
    ],
    [
      'configDistribution: { ramps: { registryUrl: "registry:4100" } }',
      "at '/configDistribution/ramps/registryUrl'",
    ],
    [
      'configDistribution: { env: { SWITCHYARD_REGISTRY_URL: "http://registry:4100" } }',
      'env.SWITCHYARD_REGISTRY_URL: the chart sets this variable itself',
    ],
    ...['events:secret', 'token'].map((who) => [
      `router: { settings: { events: { providers: { shop: { url: "nats://${who}@nats:4222" } } } } }`,
      'router.settings.events.providers.shop.url has a password or a token',
    ]),
    ['backup: { schedule: hourly }', "at '/backup/schedule'"],
    ['backup: { keep: 0 }', "at '/backup/keep'"],
    [
      'backup: { enabled: true, volume: { existingClaim: disk, source: { emptyDir: {} } } }',
      'backup.volume has both existingClaim and source: expected one of them',
    ],
    ['backup: { enabled: true, env: { SWITCHYARD_NATS_URL: x } }', 'this variable is secret'],
    ['nats: { replicas: 2 }', "at '/nats/replicas'"],
    ['registry: { env: { SWITCHYARD_NATS_REPLICAS: 3 } }', 'env.SWITCHYARD_NATS_REPLICAS: the chart sets'],
    ['env: { SWITCHYARD_PORT: 80 }', 'env.SWITCHYARD_PORT: the chart sets this variable itself'],
    ...SECRET_VARIABLES.map((name) => [
      `router: { env: { ${name}: x } }`,
      `env.${name}: this variable is secret`,
    ]),
  ])('%s are refused', (values = '', message = '') => {
    const { status, stdout, stderr } = template(values)
    expect(stderr).toContain(message)
    expect([status, stdout]).toEqual([1, ''])
  })
})

describe.skipIf(reason !== null)(named('a router'), () => {
  const graceWith = (settings: string) =>
    podsOf(render(`router: { settings: ${settings} }`)).find(([component]) => component === 'router')?.[1]
      .terminationGracePeriodSeconds

  it('is given as long to stop as its settings let it take', () => {
    expect(graceWith('{}')).toBe(10 + 30 + 15)
    expect(graceWith('{ shutdown: { pre_stop_delay: 500ms, drain_timeout: 2m } }')).toBe(1 + 120 + 15)
    expect(graceWith('{ shutdown: null }')).toBe(0 + 30 + 15)
  })

  it('is replaced when its settings change, and not when anything else does', () => {
    const checksum = (values: string) =>
      objectOf(render(values), 'Deployment').spec.template?.metadata.annotations?.['checksum/settings']
    const first = checksum('router: { settings: { cors: { max_age: 1 } } }')
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(checksum('router: { settings: { cors: { max_age: 1 } }, replicas: 7 }')).toBe(first)
    expect(checksum('router: { settings: { cors: { max_age: 2 } } }')).not.toBe(first)
  })

  it('that keeps its configuration on a volume is scaled as what it is', () => {
    const values =
      'router: { lastKnownGood: { persistent: true }, autoscaling: { enabled: true, requestsInFlight: { target: 50 } } }'
    const objects = render(values)
    const { spec } = objectOf(objects, 'HorizontalPodAutoscaler')
    expect(spec).toMatchObject({ scaleTargetRef: { kind: 'StatefulSet', name: 'switchyard-router' } })
    expect(spec.metrics).toHaveLength(2)
    expect(objectOf(objects, 'StatefulSet').spec).not.toHaveProperty('replicas')
  })
})

describe.skipIf(reason !== null)(named('every service'), () => {
  const podWith = (values: string, component: string) =>
    podsOf(render(values)).find(([name]) => name === component)?.[1]
  const services = ['registry', 'composer', 'configDistribution', 'router'] as const
  const nameOf = (service: string) => (service === 'configDistribution' ? 'config-distribution' : service)

  it('that creates streams is told of how many copies', () => {
    for (const service of services) {
      const variables = podWith('nats: { replicas: 3 }', nameOf(service))?.containers[0]?.env ?? []
      const replicas = variables.find(({ name }) => name === 'SWITCHYARD_NATS_REPLICAS')?.value
      expect(replicas, service).toBe(service === 'router' ? undefined : '3')
    }
  })

  it('runs as the user that the cluster chooses, where the values leave the user to it', () => {
    for (const service of services) {
      const values = '{ podSecurityContext: { runAsUser: null, runAsGroup: null, fsGroup: null } }'
      expect(podWith(values, nameOf(service))?.securityContext).toEqual({
        runAsNonRoot: true,
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      })
    }
  })

  it.each(services)('takes volumes, containers and security contexts of its own: %s', (service) => {
    const values = JSON.stringify({
      [service]: {
        podSecurityContext: { fsGroup: 7 },
        securityContext: { appArmorProfile: { type: 'RuntimeDefault' } },
        extraVolumes: [{ name: 'extra', emptyDir: {} }],
        extraVolumeMounts: [{ name: 'extra', mountPath: '/extra' }],
        initContainers: [{ name: 'first', image: 'first:1' }],
        sidecars: [{ name: 'beside', image: 'beside:1' }],
      },
    })
    const [version] = KUBERNETES_VERSIONS
    expect(kubeconform(template(values).stdout, version).status).toBe(0)
    const pod = podWith(values, nameOf(service))
    expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, fsGroup: 7 })
    expect(pod?.initContainers).toEqual([{ name: 'first', image: 'first:1' }])
    expect(pod?.containers.map(({ name }) => name)).toEqual([nameOf(service), 'beside'])
    expect(pod?.containers[0]).toMatchObject({
      securityContext: { readOnlyRootFilesystem: true, appArmorProfile: { type: 'RuntimeDefault' } },
      volumeMounts: expect.arrayContaining([{ name: 'extra', mountPath: '/extra' }]) as unknown,
    })
    expect(pod?.volumes).toContainEqual({ name: 'extra', emptyDir: {} })
    for (const other of services.filter((name) => name !== service))
      expect(podWith(values, nameOf(other))?.containers).toHaveLength(1)
  })
})

describe.skipIf(reason !== null)(named('a composer'), () => {
  it('has further keys of its Secret as files, if they are named', () => {
    const [, pod] = podsOf(render('composer: { secretFiles: [nats.creds, ca.crt] }'))[0] ?? []
    expect(pod?.volumes).toEqual([
      {
        name: 'files',
        secret: {
          secretName: 'switchyard-composer',
          defaultMode: 0o440,
          items: [
            { key: 'nats.creds', path: 'nats.creds' },
            { key: 'ca.crt', path: 'ca.crt' },
          ],
        },
      },
    ])
    expect(pod?.containers[0]).toMatchObject({
      volumeMounts: [{ name: 'files', mountPath: '/etc/switchyard/files', readOnly: true }],
    })
  })
})

describe.skipIf(reason !== null)(named('Studio'), () => {
  const values = JSON.stringify({
    registry: {
      studioUrl: 'https://studio.example.com',
      graphUrls: { 'default/shop': 'https://graph.example.com/graphql' },
    },
    router: { settings: { cors: { origins: ['https://shop.example.com'] } } },
  })

  it('knows where routers are, and may ask them beside the pages that their settings name', () => {
    const [, registry] = podsOf(render(values)).find(([name]) => name === 'registry') ?? []
    expect(registry?.containers[0]?.env).toContainEqual({
      name: 'SWITCHYARD_GRAPH_URLS',
      value: '{"default/shop":"https://graph.example.com/graphql"}',
    })
    expect(template(values).stdout).toMatch(
      /origins:\n\s+- https:\/\/shop\.example\.com\n\s+- https:\/\/studio\.example\.com\n/,
    )
  })
})

describe.skipIf(reason !== null)(named('ramps of rollouts'), () => {
  const distributionOf = (values: string) => {
    const [, pod] = podsOf(render(values)).find(([name]) => name === 'config-distribution') ?? []
    const volume = pod?.volumes?.find(({ name }) => name === 'ramps')
    const env = pod?.containers[0]?.env ?? []
    return {
      secret: volume?.secret,
      valueOf: (name: string) => env.find((each) => each.name === name)?.value,
    }
  }

  it('are moved with the key of a Secret that may come later, at the registry of the release', () => {
    const { secret, valueOf } = distributionOf('registry: { service: { port: 8100 } }')
    expect(valueOf('SWITCHYARD_REGISTRY_URL')).toBe('http://switchyard-registry:8100')
    expect(valueOf('SWITCHYARD_ROLLOUT_API_KEY_FILE')).toBe('/etc/switchyard/ramps/api-key')
    expect(secret).toEqual({
      secretName: 'switchyard-ramps',
      optional: true,
      defaultMode: 0o440,
      items: [{ key: 'SWITCHYARD_ROLLOUT_API_KEY', path: 'api-key' }],
    })
  })

  it('are moved at another registry, with another Secret, if the values say so', () => {
    const ramps = { apiKeySecret: 'release-key', registryUrl: 'https://switchyard.example.com' }
    const values = { registry: { enabled: false }, configDistribution: { ramps } }
    const { secret, valueOf } = distributionOf(JSON.stringify(values))
    expect(secret?.secretName).toBe('release-key')
    expect(valueOf('SWITCHYARD_REGISTRY_URL')).toBe('https://switchyard.example.com')
  })

  it.each(['registry: { enabled: false }', 'configDistribution: { ramps: { enabled: false } }'])(
    'are moved by nobody with %s',
    (values) => {
      const { secret, valueOf } = distributionOf(values)
      expect(secret).toBeUndefined()
      expect(valueOf('SWITCHYARD_REGISTRY_URL')).toBeUndefined()
      const policies = render(values).filter(({ kind }) => kind === 'NetworkPolicy')
      expect(JSON.stringify(policies.map(({ spec }) => spec.egress))).not.toContain('4100')
    },
  )

  it('get through network policies, also to a registry that knows its clients', () => {
    const rulesOf = (component: string, values: string) =>
      objectOf(render(values), 'NetworkPolicy', component).spec
    const labels = (component: string) => ({
      podSelector: {
        matchLabels: expect.objectContaining({ 'app.kubernetes.io/component': component }) as unknown,
      },
    })
    const ports = [{ protocol: 'TCP', port: 4100 }]
    expect(rulesOf('config-distribution', '{}').egress).toContainEqual({ ports, to: [labels('registry')] })
    expect(rulesOf('registry', '{}').ingress).toEqual([{ ports }])
    const client = { namespaceSelector: { matchLabels: { team: 'ci' } } }
    const narrowed = JSON.stringify({ networkPolicy: { registryClients: [client] } })
    expect(rulesOf('registry', narrowed).ingress).toEqual([
      { ports, from: [client] },
      { ports, from: [labels('config-distribution')] },
    ])
  })
})

describe.skipIf(reason !== null)(named('backups'), () => {
  const backups = (values: string) =>
    render(values).filter(({ metadata }) => metadata.labels['app.kubernetes.io/component'] === 'backup')
  const volumeOf = (values: string) => podsOf(backups(values))[0]?.[1].volumes?.[0]

  it('are not made unless somebody asks for it', () => {
    expect(backups('{}')).toEqual([])
  })

  it('are made by a job that may read NATS alone, and written to a claim that outlives the release', () => {
    const values = 'backup: { enabled: true, schedule: "0 3 * * *", keep: 9, volume: { size: 3Gi } }'
    const objects = backups(values)
    expectInvariants(objects)
    expect(objects.map(({ kind }) => kind).sort()).toEqual([
      'CronJob',
      'NetworkPolicy',
      'PersistentVolumeClaim',
    ])
    expect(objectOf(objects, 'CronJob', 'backup').spec).toMatchObject({
      schedule: '0 3 * * *',
      concurrencyPolicy: 'Forbid',
      suspend: false,
    })
    const claim = objectOf(objects, 'PersistentVolumeClaim', 'backup')
    expect(claim.metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' })
    expect(claim.spec).toEqual({
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '3Gi' } },
    })
    const [, pod] = podsOf(objects)[0] ?? []
    expect(pod).toMatchObject({
      restartPolicy: 'Never',
      volumes: [{ name: 'backups', persistentVolumeClaim: { claimName: 'switchyard-backup' } }],
      containers: [
        {
          image: 'switchyard/registry:0.1.0',
          env: [
            {
              name: 'SWITCHYARD_NATS_URL',
              valueFrom: { secretKeyRef: { name: 'switchyard-backup', key: 'SWITCHYARD_NATS_URL' } },
            },
          ],
        },
      ],
    })
    const { egress } = objectOf(objects, 'NetworkPolicy', 'backup').spec
    expect(egress).toEqual([{ ports: [{ protocol: 'TCP', port: 4222 }] }])
    for (const version of KUBERNETES_VERSIONS)
      expect(kubeconform(template(values).stdout, version).status).toBe(0)
  })

  it('are written to the volume that is named', () => {
    const nfs = { server: 'nas.example.com', path: '/switchyard' }
    expect(volumeOf('backup: { enabled: true, volume: { existingClaim: disk } }')).toEqual({
      name: 'backups',
      persistentVolumeClaim: { claimName: 'disk' },
    })
    expect(volumeOf(JSON.stringify({ backup: { enabled: true, volume: { source: { nfs } } } }))).toEqual({
      name: 'backups',
      nfs,
    })
    const values = 'backup: { enabled: true, volume: { existingClaim: disk } }'
    expect(backups(values).map(({ kind }) => kind)).not.toContain('PersistentVolumeClaim')
  })

  it('are told no number of copies of streams, and no port of metrics', () => {
    const [, pod] = podsOf(backups('{ nats: { replicas: 3 }, backup: { enabled: true } }'))[0] ?? []
    expect(pod?.containers[0]?.env.map(({ name }) => name)).toEqual(['SWITCHYARD_NATS_URL'])
  })
})

describe.skipIf(reason !== null)(named('monitoring'), () => {
  const monitoring = (values: string) =>
    render(values).filter(({ metadata }) => metadata.labels['app.kubernetes.io/component'] === 'metrics')

  it('is what Prometheus and Grafana find by their labels, with the alerts and dashboards of this repository', () => {
    const objects = monitoring(
      'metrics: { prometheusRule: { enabled: true, labels: { release: one } }, dashboards: { enabled: true } }',
    )
    const rules = objects.find(({ kind }) => kind === 'PrometheusRule')
    expect(rules?.metadata.labels).toMatchObject({ release: 'one' })
    expect(rules?.spec).toEqual(parse(read('infra/observability/prometheus/rules.yml')))
    const dashboards = objects.filter(({ kind }) => kind === 'ConfigMap')
    expect(dashboards).toHaveLength(3)
    for (const { metadata, data } of dashboards) {
      expect(metadata.labels).toMatchObject({ grafana_dashboard: '1' })
      for (const [name, text] of Object.entries(data ?? {}))
        expect(JSON.parse(text)).toEqual(JSON.parse(read(`infra/observability/grafana/dashboards/${name}`)))
    }
  })

  it('is not there unless somebody asks for it', () => {
    expect(monitoring('{}').map(({ kind }) => kind)).toEqual(['Service'])
  })
})

describe.skipIf(reason !== null)(named('network policies'), () => {
  const policies = (values: string) => render(values).filter(({ kind }) => kind === 'NetworkPolicy')
  const portsOf = (rules: readonly Rule[] = []) =>
    rules
      .flatMap(({ ports = [] }) => ports.map(({ port }) => port))
      .filter((port, index, all) => all.indexOf(port) === index)
  const ofComponent = (objects: readonly KubernetesObject[], component?: string) =>
    objects.find(({ metadata }) => metadata.labels['app.kubernetes.io/component'] === component)?.spec

  it('let nothing in but clients of routers and registries, and readers of metrics of the same namespace', () => {
    const all = policies('{}')
    expect(ofComponent(all)).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      podSelector: { matchLabels: {} },
    })
    expect(ofComponent(all)?.ingress).toEqual([
      { ports: [{ protocol: 'TCP', port: 9464 }], from: [{ podSelector: {} }] },
    ])
    expect(portsOf(ofComponent(all, 'router')?.ingress)).toEqual([4000])
    expect(portsOf(ofComponent(all, 'registry')?.ingress)).toEqual([4100])
    for (const component of ['composer', 'config-distribution'])
      expect(ofComponent(all, component)?.ingress).toBeUndefined()
  })

  it('let each service reach what it works with', () => {
    const all = policies('{}')
    expect(portsOf(ofComponent(all)?.egress)).toEqual([53])
    expect(portsOf(ofComponent(all, 'registry')?.egress)).toEqual([4222])
    expect(portsOf(ofComponent(all, 'composer')?.egress)).toEqual([4222])
    expect(portsOf(ofComponent(all, 'config-distribution')?.egress)).toEqual([4222, 6379, 4100])
    expect(portsOf(ofComponent(all, 'router')?.egress)).toEqual([4222, 6379])
  })

  it('let routers reach the subgraphs that their own list allows, and with a supergraph file nothing else', () => {
    const values =
      'router: { supergraph: { configMap: x }, subgraphNetworks: [loopback, 10.9.0.0/16, 192.0.2.7, "fd00::1"] }'
    const [rule, ...others] = ofComponent(policies(values), 'router')?.egress ?? []
    expect(others).toEqual([])
    expect(rule).toEqual({
      to: ['10.9.0.0/16', '192.0.2.7/32', 'fd00::1/128'].map((cidr) => ({ ipBlock: { cidr } })),
    })
  })
})
