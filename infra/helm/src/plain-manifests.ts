/**
 * The manifests of infra/kubernetes: what the chart renders of its own values, without what belongs to Helm.
 */
import { parse } from 'yaml'
import { template } from './helm.ts'

type PlainObject = {
  readonly kind: string
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
}

const COMPONENT = 'app.kubernetes.io/component'
const HEAD = `# Written by infra/helm/src/write-generated.ts from the chart in infra/helm/switchyard; see docs/kubernetes.md.\n`
/** Lines that mean something to Helm alone. Whoever applies a folder names the namespace. */
const OF_HELM =
  /^(?:# Source: .*| +(?:helm\.sh\/chart|app\.kubernetes\.io\/managed-by): .*| {2}namespace: .*)\n/gm
/** The checksum of the settings, which would become wrong when somebody edits the file. */
const CHECKSUM = /^ +annotations:\n +checksum\/settings: .*\n/gm

/** Text by name of the file. Throws when the chart cannot be rendered. */
export function plainManifests(): ReadonlyMap<string, string> {
  const { status, stdout, stderr } = template('{}')
  if (status !== 0) throw new Error(`helm template failed: ${stderr}`)
  const objects = new Map<string, string[]>()
  for (const text of stdout.split(/^---\n/m).filter((part) => part.trim() !== '')) {
    const object = parse(text) as PlainObject
    const file = `${fileOf(object)}.yaml`
    const plain = text.replaceAll(OF_HELM, '').replaceAll(CHECKSUM, '').trim()
    objects.set(file, [...(objects.get(file) ?? []), plain])
  }
  const files = [...objects].sort(([a], [b]) => (a < b ? -1 : 1))
  return new Map([
    ...files.map(([file, texts]) => [file, `${HEAD}${texts.join('\n---\n')}\n`] as const),
    ['kustomization.yaml', kustomization(files.map(([file]) => file))],
  ])
}

function fileOf({ kind, metadata }: PlainObject): string {
  if (kind === 'NetworkPolicy') return 'network-policies'
  return metadata.labels[COMPONENT] ?? 'service-account'
}

function kustomization(files: readonly string[]): string {
  return `${HEAD}apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: switchyard
resources:
${files.map((file) => `  - ${file}`).join('\n')}
`
}
