/**
 * The JSON schema of the chart's values. It is closed everywhere but where Kubernetes decides what is right,
 * and holds the schema of the router's settings, so that a misspelt setting is refused before a pod fails to
 * start.
 */
import { settingsSchema } from '@switchyard/router/settings-schema'
import { NETWORK_PATTERN } from '@switchyard/service-kit'

type Schema = { readonly [key: string]: unknown }

const text: Schema = { type: 'string' }
const flag: Schema = { type: 'boolean' }
const anyObject: Schema = { type: 'object' }
const objects: Schema = { type: 'array', items: anyObject }
const texts: Schema = { type: 'array', items: { type: 'string', minLength: 1 } }
const port: Schema = { type: 'integer', minimum: 1, maximum: 65535 }
const ports: Schema = { type: 'array', minItems: 1, items: port }
const textMap: Schema = { type: 'object', additionalProperties: text }
const variables: Schema = {
  type: 'object',
  propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
  additionalProperties: { type: ['string', 'number', 'boolean'] },
}
const name: Schema = { type: 'string', pattern: '^([a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?)?$' }
const key: Schema = { type: 'string', pattern: '^[-._a-zA-Z0-9]+$' }
const quantity: Schema = {
  type: ['string', 'number'],
  pattern: '^[0-9]+(\\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi|T|Ti)?$',
}
/** Five fields, or one of the names that cron has. */
const SCHEDULE =
  '^(?:[-0-9A-Za-z*,/?]+(?: +[-0-9A-Za-z*,/?]+){4}|@(?:yearly|annually|monthly|weekly|daily|midnight|hourly))$'
const ACCESS_MODES = ['ReadWriteOnce', 'ReadWriteMany', 'ReadWriteOncePod']
const duration: Schema = { type: 'string', pattern: '^[0-9]+(ms|s|m|h)$' }

const network: Schema = { type: 'string', pattern: `^(?:${NETWORK_PATTERN})$` }
const networkOrWord: Schema = {
  type: 'string',
  pattern: `^(?:public|private|loopback|${NETWORK_PATTERN})$`,
}

function integer(minimum: number, maximum = 100_000): Schema {
  return { type: 'integer', minimum, maximum }
}

function closed(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', additionalProperties: false, properties }
}

/** The values of every pod. */
const pod = {
  enabled: flag,
  secret: name,
  secretFiles: { type: 'array', items: key, uniqueItems: true },
  env: variables,
  image: text,
  resources: closed({
    requests: { type: 'object', additionalProperties: quantity },
    limits: { type: 'object', additionalProperties: quantity },
  }),
  podAnnotations: textMap,
  podLabels: textMap,
  nodeSelector: textMap,
  tolerations: objects,
  affinity: anyObject,
  priorityClassName: name,
  podSecurityContext: anyObject,
  securityContext: anyObject,
  extraVolumes: objects,
  extraVolumeMounts: objects,
}

/** The values of every service. */
const workload = {
  ...pod,
  replicas: integer(0, 1000),
  podDisruptionBudget: closed({
    enabled: flag,
    maxUnavailable: { anyOf: [integer(1), { type: 'string', pattern: '^[1-9][0-9]?%$' }] },
  }),
  terminationGracePeriodSeconds: integer(0),
  topologySpreadConstraints: objects,
  initContainers: objects,
  sidecars: objects,
}

/** The additional values of services that are reached from outside. */
const reachable = {
  service: closed({
    type: { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
    port,
    annotations: textMap,
    loadBalancerClass: text,
    loadBalancerSourceRanges: texts,
    externalTrafficPolicy: { enum: ['', 'Cluster', 'Local'] },
  }),
  ingress: closed({ enabled: flag, className: name, annotations: textMap, hosts: texts, tls: objects }),
  httpRoute: closed({
    enabled: flag,
    annotations: textMap,
    parentRefs: objects,
    hostnames: texts,
    timeout: duration,
  }),
}

const router = closed({
  ...workload,
  ...reachable,
  graph: { type: 'string', pattern: '^[^/\\s]+/[^/\\s]+$' },
  deferProbeToken: flag,
  visitorCookieKey: flag,
  supergraph: closed({ configMap: name, key }),
  subgraphNetworks: { type: 'array', items: networkOrWord, minItems: 1 },
  settings: routerSettings(),
  tls: closed({ secret: name }),
  lastKnownGood: closed({ persistent: flag, storageClassName: name, size: quantity }),
  autoscaling: closed({
    enabled: flag,
    minReplicas: integer(1, 1000),
    maxReplicas: integer(1, 1000),
    cpu: integer(0, 1000),
    requestsInFlight: closed({ target: integer(0), metric: { type: 'string', minLength: 1 } }),
    behavior: anyObject,
  }),
})

const registry = closed({
  ...workload,
  ...reachable,
  bootstrapApiKey: flag,
  sessions: flag,
  graphUrls: { type: 'object', additionalProperties: { type: 'string', pattern: '^https?://[^/?#@]+' } },
  studioUrl: { type: 'string', pattern: '^(https://[^/?#@]+)?$' },
  traceKeys: flag,
  trustedProxies: { type: 'array', items: network },
  preStopSeconds: integer(0, 3600),
})

const composer = closed({ ...workload, workers: integer(0, 64), memory: integer(128, 65_536) })

const configDistribution = closed({
  ...workload,
  ramps: closed({
    enabled: flag,
    apiKeySecret: name,
    registryUrl: { type: 'string', pattern: '^(https?://\\S+)?$' },
  }),
})

const backup = closed({
  ...pod,
  schedule: { type: 'string', pattern: SCHEDULE },
  timeZone: text,
  keep: integer(1),
  suspend: flag,
  activeDeadlineSeconds: integer(1, 604_800),
  volume: closed({
    existingClaim: name,
    source: anyObject,
    storageClassName: name,
    accessModes: { type: 'array', minItems: 1, items: { enum: ACCESS_MODES }, uniqueItems: true },
    size: quantity,
  }),
})

const networkPolicy = closed({
  enabled: flag,
  routerClients: objects,
  registryClients: objects,
  metricsClients: objects,
  nats: closed({ to: objects, ports }),
  redis: closed({ to: objects, ports }),
  subgraphs: objects,
  dns: closed({ to: objects, ports }),
  extraEgress: objects,
})

export function valuesSchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart switchyard',
    ...closed({
      // What Helm sets for charts that others depend on.
      global: anyObject,
      fullnameOverride: name,
      commonLabels: textMap,
      commonAnnotations: textMap,
      image: closed({
        prefix: text,
        tag: text,
        pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
        pullSecrets: objects,
      }),
      serviceAccount: closed({ create: flag, name, annotations: textMap }),
      podSecurityContext: anyObject,
      securityContext: anyObject,
      env: variables,
      nats: closed({ replicas: { enum: [0, 1, 3, 5] } }),
      certificateAuthorities: closed({ configMap: name, key }),
      fleetKey: closed({ enabled: flag }),
      metrics: closed({
        enabled: flag,
        serviceMonitor: closed({
          enabled: flag,
          labels: textMap,
          interval: duration,
          scrapeTimeout: duration,
        }),
        prometheusRule: closed({ enabled: flag, labels: textMap }),
        dashboards: closed({ enabled: flag, labels: textMap, annotations: textMap }),
      }),
      networkPolicy,
      backup,
      registry,
      composer,
      configDistribution,
      router,
    }),
  }
}

function routerSettings(): Schema {
  const { $schema: _, ...schema } = settingsSchema('draft-7')
  return schema
}
