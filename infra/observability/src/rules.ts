import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { z } from 'zod'

const Texts = z.record(z.string(), z.string())
const Alert = z.object({ alert: z.string(), expr: z.string(), labels: Texts, annotations: Texts })
const Rules = z.object({ groups: z.array(z.object({ rules: z.array(Alert) })) })
export type Alert = z.infer<typeof Alert>

/** The folder that Prometheus is given: its configuration and the rules of alerts. */
export const PROMETHEUS_FOLDER = fileURLToPath(new URL('../prometheus', import.meta.url))

export function alerts(): readonly Alert[] {
  const { groups } = Rules.parse(parse(readFileSync(`${PROMETHEUS_FOLDER}/rules.yml`, 'utf8')))
  return groups.flatMap(({ rules }) => rules)
}
