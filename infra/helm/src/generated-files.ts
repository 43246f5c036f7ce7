/** The files of the chart that are generated from others, with the content that they should have. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHART, OBSERVABILITY } from './paths.ts'
import { valuesReference } from './values-reference.ts'
import { valuesSchema } from './values-schema.ts'

const REFERENCE = /(<!-- values -->\n)[\s\S]*?(<!-- \/values -->)/

export type GeneratedFile = { readonly path: string; readonly text: string }

export function generatedFiles(): readonly GeneratedFile[] {
  const readme = join(CHART, 'README.md')
  const reference = valuesReference(readFileSync(join(CHART, 'values.yaml'), 'utf8'))
  return [
    { path: join(CHART, 'values.schema.json'), text: `${JSON.stringify(valuesSchema(), null, 2)}\n` },
    {
      path: readme,
      text: readFileSync(readme, 'utf8').replace(REFERENCE, (_, begin, end) => `${begin}${reference}${end}`),
    },
    ...monitoringFiles(),
  ]
}

/** Helm reads nothing outside of the chart, so it has copies of the alerts and the dashboards. */
function monitoringFiles(): readonly GeneratedFile[] {
  const dashboards = readdirSync(join(OBSERVABILITY, 'grafana/dashboards'))
  const copied = [
    ['prometheus/rules.yml', 'rules.yml'],
    ...dashboards.map((name) => [`grafana/dashboards/${name}`, `dashboards/${name}`]),
  ]
  return copied.map(([from = '', to = '']) => ({
    path: join(CHART, 'files', to),
    text: readFileSync(join(OBSERVABILITY, from), 'utf8'),
  }))
}
