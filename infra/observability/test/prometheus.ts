/** A real Prometheus with the rules of this package, asking the programs of a test. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programPath, startServer } from '@switchyard/testkit'
import { z } from 'zod'
import { PROMETHEUS_FOLDER } from '../src/rules.ts'
import { configurationOf, type ScrapeConfig } from './ways-of-scraping.ts'

/** Seconds. */
export const SCRAPE_INTERVAL = 1

export type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number }

export interface Prometheus extends AsyncDisposable {
  readonly url: string
  /** Throws what Prometheus says of an expression that it does not understand. */
  ask(expression: string): Promise<readonly Sample[]>
}

const Answer = z.object({
  error: z.string().optional(),
  data: z
    .object({
      result: z.array(
        z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) }),
      ),
    })
    .optional(),
})

export const prometheusAvailable = (): boolean => programPath('prometheus') !== null

/** `rules`: text in place of the rules that are shipped. */
export async function startPrometheus(
  scrapes: readonly ScrapeConfig[],
  rules: string = shippedRules(),
): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-prometheus-'))
  writeFileSync(join(folder, 'rules.yml'), rules)
  writeFileSync(join(folder, 'prometheus.yml'), configurationOf(scrapes, `${SCRAPE_INTERVAL}s`))
  const server = await startServer({
    binary: 'prometheus',
    scheme: 'http',
    arguments: (port, data) => [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${data}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
  })
  return {
    url: server.url,
    async ask(expression) {
      const asked = await fetch(`${server.url}/api/v1/query?query=${encodeURIComponent(expression)}`)
      const { data, error } = Answer.parse(await asked.json())
      if (data === undefined) throw new Error(`${expression}: ${error ?? `status ${asked.status}`}`)
      return data.result.map(({ metric, value: [, value] }) => ({ labels: metric, value: Number(value) }))
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function shippedRules(): string {
  return readFileSync(join(PROMETHEUS_FOLDER, 'rules.yml'), 'utf8')
}
