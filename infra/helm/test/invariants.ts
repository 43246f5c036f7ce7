/** What holds for everything that the chart makes, whatever the values. */
import { expect } from 'vitest'
import { type Container, type KubernetesObject, podsOf, type Pod, read } from './objects.ts'

/** Variables whose values are secret. */
export const SECRET_VARIABLES = [
  'SWITCHYARD_NATS_URL',
  'SWITCHYARD_REDIS_URL',
  'SWITCHYARD_FLEET_KEY',
  'SWITCHYARD_SESSION_KEY',
  'SWITCHYARD_BOOTSTRAP_API_KEY',
  'SWITCHYARD_ROLLOUT_API_KEY',
  'ENGINE_DEFER_PROBE_TOKEN',
  'SWITCHYARD_VISITOR_COOKIE_KEY',
]
/** Files with private keys, and whose they are. */
const PRIVATE_KEYS = new Map([
  ['signing-key.json', 'config-distribution'],
  ['trace-keys.json', 'registry'],
])
/** Of Node.js and of OpenTelemetry. */
const OF_OTHERS = /^(?:NODE_OPTIONS|NODE_EXTRA_CA_CERTS|OTEL_[A-Z_]+)$/

export function expectInvariants(objects: readonly KubernetesObject[]): void {
  for (const { kind } of objects) expect(kind).not.toBe('Secret')
  const configuration = read('docs/configuration.md')
  for (const [component, pod] of podsOf(objects)) {
    expectSecurity(component, pod)
    expectKeysOfItsOwn(component, pod)
    for (const container of pod.containers) {
      expectSecretsByReference(container)
      expectPorts(component, container)
      for (const { name } of container.env)
        if (!OF_OTHERS.test(name)) expect(configuration, name).toContain(`\`${name}\``)
      expect(container.resources.limits, component).toHaveProperty('memory')
    }
  }
  expectPublicPorts(objects)
}

/** What the profile "restricted" of Kubernetes' Pod Security Standards asks for, and more. */
function expectSecurity(component: string, pod: Pod): void {
  expect(pod, component).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    },
  })
  expect([pod.hostNetwork, pod.hostPID, pod.hostIPC, pod.initContainers]).toEqual(Array(4).fill(undefined))
  for (const { hostPath } of pod.volumes ?? []) expect(hostPath).toBeUndefined()
  for (const { securityContext } of pod.containers)
    expect(securityContext, component).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
}

/** The Secret of one service is mounted by no other, and of it only the files that are named. */
function expectKeysOfItsOwn(component: string, pod: Pod): void {
  for (const { name, secret } of pod.volumes ?? []) {
    if (secret === undefined || name === 'tls') continue
    expect(secret.items?.length ?? 0, component).toBeGreaterThan(0)
    for (const { key } of secret.items ?? []) expect(PRIVATE_KEYS.get(key) ?? component).toBe(component)
  }
}

function expectSecretsByReference({ env, name }: Container): void {
  for (const variable of env) {
    if (!SECRET_VARIABLES.includes(variable.name)) continue
    expect(variable.value, variable.name).toBeUndefined()
    expect(variable.valueFrom?.secretKeyRef?.key).toBe(variable.name)
  }
  const names = env.map((variable) => variable.name)
  expect(new Set(names).size, `variables of ${name} that are set twice`).toBe(names.length)
}

/** The ports that the images listen on. */
function expectPorts(component: string, { ports }: Container): void {
  if (component === 'backup') {
    expect(ports).toBeUndefined()
    return
  }
  const target = new RegExp(`^FROM service AS ${component}\n(?:.+\n)*?EXPOSE (\\d+)`, 'm')
  const port = Number(target.exec(read('infra/docker/Dockerfile'))?.[1])
  const wanted = [port, ...(ports?.some(({ name }) => name === 'metrics') ? [9464] : [])]
  expect(ports?.map(({ containerPort }) => containerPort)).toEqual(wanted)
}

/** No Service but those of router and registry has an address, and none of them shows metrics. */
function expectPublicPorts(objects: readonly KubernetesObject[]): void {
  for (const { kind, metadata, spec } of objects) {
    if (kind !== 'Service' || spec.clusterIP === 'None') continue
    expect(['router', 'registry']).toContain(metadata.labels['app.kubernetes.io/component'])
    expect(spec.ports?.map(({ targetPort }) => targetPort)).toEqual(['http'])
  }
}
