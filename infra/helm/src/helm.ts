/** Helm and kubeconform, as scripts/helm.sh has put them below .tools/helm. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHART, ROOT } from './paths.ts'

const TOOLS = join(ROOT, '.tools/helm')

/** Returns why there is no Helm. Null if there is one. */
export function helmMissing(): string | null {
  if (existsSync(join(TOOLS, 'ready'))) return null
  const reason = join(TOOLS, 'missing')
  return existsSync(reason) ? readFileSync(reason, 'utf8').trim() : 'scripts/helm.sh has not been run'
}

export type Run = { readonly status: number | null; readonly stdout: string; readonly stderr: string }

/** Runs helm with these words. Values come on standard input if the words contain `-f -`. */
export function helm(words: readonly string[], input = ''): Run {
  return spawnSync(join(TOOLS, 'helm'), words, { encoding: 'utf8', input, maxBuffer: 64 * 1024 * 1024 })
}

/** Renders the chart with values (YAML). The release and its namespace are called switchyard. */
export function template(values: string, more: readonly string[] = []): Run {
  return helm(['template', 'switchyard', CHART, '--namespace', 'switchyard', '-f', '-', ...more], values)
}

/** Holds objects (YAML) against the schemas of one version of Kubernetes, with unknown keys refused. */
export function kubeconform(objects: string, version: string): Run {
  const schemas = join(
    TOOLS,
    'schemas/{{.NormalizedKubernetesVersion}}/{{.ResourceKind}}{{.KindSuffix}}.json',
  )
  const words = ['-strict', '-summary', '-kubernetes-version', version, '-schema-location', schemas]
  return spawnSync(join(TOOLS, 'kubeconform'), words, { encoding: 'utf8', input: objects })
}
