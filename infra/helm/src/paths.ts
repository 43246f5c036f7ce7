import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
export const CHART = join(ROOT, 'infra/helm/switchyard')
export const EXAMPLES = join(ROOT, 'infra/helm/examples')
export const OBSERVABILITY = join(ROOT, 'infra/observability')
export const MANIFESTS = join(ROOT, 'infra/kubernetes')
