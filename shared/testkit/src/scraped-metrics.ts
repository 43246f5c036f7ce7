/** A metric that a service serves at `GET /metrics`. */
export type ScrapedMetric = {
  /** The name as Prometheus shows it. That of a counter ends in `_total`. */
  readonly name: string
  /** `counter`, `gauge` or `histogram`. */
  readonly type: string
  readonly help: string
  /** Empty if it has none. */
  readonly unit: string
  /** The samples, of a histogram with all its buckets. */
  readonly samples: readonly ScrapedSample[]
}

export type ScrapedSample = {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export async function scrapeMetrics(port: number): Promise<ReadonlyMap<string, ScrapedMetric>> {
  const reply = await fetch(`http://127.0.0.1:${port}/metrics`)
  if (reply.status !== 200) throw new Error(`/metrics answered ${reply.status}`)
  return parseMetrics(await reply.text())
}

/** The text format of Prometheus, by name. */
export function parseMetrics(text: string): ReadonlyMap<string, ScrapedMetric> {
  const metrics = new Map<string, Writable<ScrapedMetric> & { samples: ScrapedSample[] }>()
  let current = ''
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|UNIT|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (kind === 'HELP') {
      current = name
      metrics.set(name, { name, type: '', help: rest, unit: '', samples: [] })
    }
    const metric = metrics.get(current)
    if (metric === undefined || line === '') continue
    if (kind === 'UNIT') metric.unit = rest
    else if (kind === 'TYPE') metric.type = rest
    else if (kind === undefined) metric.samples.push(sampleOf(line))
  }
  return metrics
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

function sampleOf(line: string): ScrapedSample {
  const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line)
  if (match === null) throw new Error(`not a line of metrics: ${line}`)
  const [, name = '', labels = '', value = ''] = match
  const pairs = labels.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/g)
  return {
    name,
    labels: Object.fromEntries(
      [...pairs].map(([, key = '', text = '']) => [key, text.replace(/\\(.)/g, '$1')]),
    ),
    value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value),
  }
}
