/**
 * How Prometheus comes to the metrics of services, each way as this repository ships it: prometheus.yml of
 * Compose, the ServiceMonitor of the chart, and a collector to which services push.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts, startServer } from '@switchyard/testkit'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { PROMETHEUS_FOLDER } from '../src/rules.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const HELM = join(ROOT, '.tools/helm/helm')
const COLLECTOR = join(ROOT, '.tools/otelcol/otelcol')

/** A process of the platform, with the port of its metrics. */
export type Target = { readonly instance: string; readonly service: string; readonly port: number }
export type ScrapeConfig = Readonly<Record<string, unknown>>

const Scrape = z.looseObject({ job_name: z.string() })
const Config = z.looseObject({ scrape_configs: z.tuple([Scrape, Scrape]) })
const ServiceMonitor = z.object({
  kind: z.literal('ServiceMonitor'),
  spec: z.object({
    jobLabel: z.string(),
    endpoints: z.array(z.object({ relabelings: z.array(z.record(z.string(), z.unknown())) })),
  }),
})

function shipped() {
  return Config.parse(parse(readFileSync(join(PROMETHEUS_FOLDER, 'prometheus.yml'), 'utf8'))).scrape_configs
}

/** As in Compose, where the name of a service in the DNS says which one it is; `instance` is a name here. */
export function scrapePages(targets: readonly Target[]): ScrapeConfig {
  const [{ dns_sd_configs: _, ...services }] = shipped()
  return {
    ...services,
    static_configs: targets.map(({ instance, service, port }) => ({
      targets: [`127.0.0.1:${port}`],
      labels: { __meta_dns_name: service, instance },
    })),
  }
}

/** Why the chart cannot be rendered; null: it can. */
export function chartMissing(): string | null {
  return existsSync(HELM) ? null : 'there is no Helm (scripts/helm.sh)'
}

/** As the Prometheus operator scrapes by the ServiceMonitor of the chart: its own labels first, then ours. */
export function scrapeByServiceMonitor(targets: readonly Target[]): ScrapeConfig {
  const words = ['template', 'switchyard', join(ROOT, 'infra/helm/switchyard')]
  const show = ['--set', 'metrics.serviceMonitor.enabled=true', '--show-only', 'templates/metrics.yaml']
  const { stdout, stderr, status } = spawnSync(HELM, [...words, ...show], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const text = stdout.split(/^---\n/m).find((part) => part.includes('kind: ServiceMonitor')) ?? ''
  const { jobLabel, endpoints } = ServiceMonitor.parse(parse(text)).spec
  const copy = (from: string, to: string) => ({
    source_labels: [`__meta_kubernetes_${from}`],
    target_label: to,
  })
  return {
    job_name: 'serviceMonitor/switchyard/switchyard-metrics/0',
    static_configs: targets.map(({ instance, service, port }) => ({
      targets: [`127.0.0.1:${port}`],
      labels: {
        __meta_kubernetes_namespace: 'switchyard',
        __meta_kubernetes_service_name: 'switchyard-metrics',
        [`__meta_kubernetes_service_label_${labelName(jobLabel)}`]: 'switchyard',
        __meta_kubernetes_pod_name: `switchyard-${instance}`,
        __meta_kubernetes_pod_container_name: service,
        __meta_kubernetes_pod_label_app_kubernetes_io_component: service,
      },
    })),
    relabel_configs: [
      copy('namespace', 'namespace'),
      copy('service_name', 'service'),
      copy('pod_name', 'pod'),
      copy('pod_container_name', 'container'),
      copy('service_name', 'job'),
      { ...copy(`service_label_${labelName(jobLabel)}`, 'job'), regex: '(.+)', replacement: '$1' },
      { target_label: 'endpoint', replacement: 'metrics' },
      ...endpoints.flatMap(({ relabelings }) => relabelings.map(asInPrometheus)),
    ],
  }
}

function labelName(label: string): string {
  return label.replaceAll(/[^a-zA-Z0-9]/g, '_')
}

/** `sourceLabels` of the operator is `source_labels` of Prometheus. */
function asInPrometheus(relabeling: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(relabeling).map(([key, value]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
}

/** Why there is no collector; null: there is one. */
export function collectorMissing(): string | null {
  return existsSync(COLLECTOR) ? null : 'there is no collector (scripts/collector.sh)'
}

export type Collector = AsyncDisposable & {
  /** Where services send to. */
  readonly endpoint: string
  readonly scrape: ScrapeConfig
}

/** The collector with the configuration that is shipped, on free ports. */
export async function startCollector(): Promise<Collector> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-collector-'))
  const [otlp = 0, page = 0] = await freePorts(2)
  const file = join(folder, 'config.yaml')
  const text = readFileSync(join(ROOT, 'infra/observability/collector/config.yaml'), 'utf8')
  const server = await startServer({
    binary: 'otelcol',
    path: COLLECTOR,
    scheme: 'http',
    // The port of the server is that of gRPC, by which it is known to run.
    arguments: (grpc) => {
      const placed = text
        .replace('0.0.0.0:4318', `127.0.0.1:${otlp}`)
        .replace('0.0.0.0:4317', `127.0.0.1:${grpc}`)
        .replace('0.0.0.0:8889', `127.0.0.1:${page}`)
        .replace('/var/lib/otelcol', folder)
      writeFileSync(file, placed)
      return ['--config', `file:${file}`]
    },
  })
  const [, collector] = shipped()
  return {
    endpoint: `http://127.0.0.1:${otlp}`,
    scrape: { ...collector, static_configs: [{ targets: [`127.0.0.1:${page}`] }] },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The text of a configuration that asks these every second. */
export function configurationOf(scrapes: readonly ScrapeConfig[], interval: string): string {
  return stringify({
    global: { scrape_interval: interval, evaluation_interval: interval },
    rule_files: ['rules.yml'],
    scrape_configs: scrapes,
  })
}
