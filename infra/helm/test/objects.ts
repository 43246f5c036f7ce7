/** Kubernetes objects as far as tests read them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { EXAMPLES, MANIFESTS, ROOT } from '../src/paths.ts'

export type Variable = {
  name: string
  value?: string
  valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean } }
}
export type Container = {
  name: string
  image: string
  /** Of the program that the image starts. */
  args?: string[]
  env: Variable[]
  /** None of what listens nowhere. */
  ports?: { name: string; containerPort: number }[]
  securityContext?: Record<string, unknown>
  resources: { limits: Record<string, string> }
}
export type Volume = {
  name: string
  secret?: { secretName: string; items?: { key: string }[]; optional?: boolean }
  persistentVolumeClaim?: { claimName: string }
  hostPath?: unknown
}
export type Pod = {
  containers: Container[]
  initContainers?: Container[]
  volumes?: Volume[]
  securityContext: Record<string, unknown>
  automountServiceAccountToken: boolean
  enableServiceLinks: boolean
  terminationGracePeriodSeconds: number
  hostNetwork?: boolean
  hostPID?: boolean
  hostIPC?: boolean
}
export type PodTemplate = {
  metadata: { labels: Record<string, string>; annotations?: Record<string, string> }
  spec: Pod
}
export type Rule = { ports?: { port: number }[]; from?: unknown[]; to?: unknown[] }
export type KubernetesObject = {
  kind: string
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> }
  data?: Record<string, string>
  spec: {
    template?: PodTemplate
    /** Of a CronJob. */
    jobTemplate?: { spec: { template: PodTemplate } }
    podSelector?: { matchLabels: Record<string, string> }
    selector?: Record<string, string>
    ports?: { port: number; targetPort: string }[]
    type?: string
    clusterIP?: string
    policyTypes?: string[]
    ingress?: Rule[]
    egress?: Rule[]
    minReplicas?: number
    metrics?: unknown[]
  }
}

export function objectsIn(text: string): readonly KubernetesObject[] {
  const documents = parseAllDocuments(text, { uniqueKeys: true })
  if (!Array.isArray(documents)) return []
  return documents.flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0] as Error
    const value = document.toJS() as KubernetesObject | null
    return value === null ? [] : [value]
  })
}

export function podsOf(objects: readonly KubernetesObject[]): readonly (readonly [string, Pod])[] {
  return objects.flatMap(({ metadata, spec }) => {
    const template = spec?.template ?? spec?.jobTemplate?.spec.template
    return template === undefined
      ? []
      : [[metadata.labels['app.kubernetes.io/component'] ?? '', template.spec]]
  })
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** Name and text. */
export function examples(): readonly (readonly [string, string])[] {
  return readdirSync(EXAMPLES).map((file) => [file, readFileSync(join(EXAMPLES, file), 'utf8')])
}

/** The plain manifests that are kept in the repository, by name of the file. */
export function keptManifests(): ReadonlyMap<string, string> {
  return new Map(readdirSync(MANIFESTS).map((file) => [file, readFileSync(join(MANIFESTS, file), 'utf8')]))
}
