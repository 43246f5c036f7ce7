/** A real Prometheus with the configuration and the rules of this package, asking the programs of a test. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programPath, startServer } from '@switchyard/testkit'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { PROMETHEUS_FOLDER } from '../src/rules.ts'

/** Seconds. */
export const SCRAPE_INTERVAL = 1

export type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number }

export interface Prometheus extends AsyncDisposable {
  readonly url: string
  /** Throws what Prometheus says of an expression that it does not understand. */
  ask(expression: string): Promise<readonly Sample[]>
}

const Config = z.looseObject({
  global: z.looseObject({}),
  scrape_configs: z.array(
    z.looseObject({
      static_configs: z.array(z.looseObject({ targets: z.array(z.string()) })),
    }),
  ),
})
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

/** `ports`: where the metrics of each instance that prometheus.yml names are. */
export async function startPrometheus(ports: ReadonlyMap<string, number>): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-prometheus-'))
  cpSync(PROMETHEUS_FOLDER, folder, { recursive: true })
  writeFileSync(join(folder, 'prometheus.yml'), configured(ports))
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

/** The configuration as it is, but for addresses and the time between two looks. */
function configured(ports: ReadonlyMap<string, number>): string {
  const config = Config.parse(parse(readFileSync(join(PROMETHEUS_FOLDER, 'prometheus.yml'), 'utf8')))
  const interval = `${SCRAPE_INTERVAL}s`
  const [services] = config.scrape_configs
  const scraped = (services === undefined ? [] : [services]).map((scrape) => ({
    ...scrape,
    relabel_configs: [],
    static_configs: scrape.static_configs.flatMap(({ targets, ...rest }) =>
      targets.map((target) => {
        const instance = target.split(':')[0] ?? ''
        return {
          ...rest,
          targets: [`127.0.0.1:${ports.get(instance) ?? 0}`],
          labels: labelsOf(rest, instance),
        }
      }),
    ),
  }))
  const global = { ...config.global, scrape_interval: interval, evaluation_interval: interval }
  return stringify({ ...config, global, scrape_configs: scraped })
}

function labelsOf(rest: Readonly<Record<string, unknown>>, instance: string): Record<string, string> {
  return { ...z.record(z.string(), z.string()).parse(rest['labels']), instance }
}
