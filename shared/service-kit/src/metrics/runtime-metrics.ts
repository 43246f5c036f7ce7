/**
 * How the process itself does, by the names of OpenTelemetry's semantic conventions for Node.js, V8 and
 * processes (https://opentelemetry.io/docs/specs/semconv/runtime/nodejs-metrics/).
 */
import type { BatchObservableResult, Meter } from '@opentelemetry/api'
import {
  constants,
  type EventLoopUtilization,
  monitorEventLoopDelay,
  performance,
  PerformanceObserver,
} from 'node:perf_hooks'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { VERSION } from '../text/version.ts'
import { declareCounter, declareGauge, declareHistogram, type Metric } from './metric.ts'

const NANOSECONDS = 1e9
/** Milliseconds between two looks at the event loop. */
const RESOLUTION = 10

const COLLECTIONS: ReadonlyMap<number, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
])

/** Measures the Node.js runtime until it is disposed of. */
export function observeRuntime(meter: Meter): Disposable {
  using parts = new DisposableStack()
  observeEventLoop(meter, parts)
  observeCollections(meter, parts)
  observeMemory(meter)
  observeProcess(meter)
  const observing = parts.move()
  return { [Symbol.dispose]: () => observing.dispose() }
}

const ofDelays = (which: string) => ({
  unit: 's' as const,
  description: `${which} of the event loop since it was last asked for`,
})

export const DELAYS = {
  min: declareGauge('nodejs.eventloop.delay.min', ofDelays('Shortest delay')),
  max: declareGauge('nodejs.eventloop.delay.max', ofDelays('Longest delay')),
  mean: declareGauge('nodejs.eventloop.delay.mean', ofDelays('Mean delay')),
  p50: declareGauge('nodejs.eventloop.delay.p50', ofDelays('Median of the delays')),
  p90: declareGauge('nodejs.eventloop.delay.p90', ofDelays('90th percentile of the delays')),
  p99: declareGauge('nodejs.eventloop.delay.p99', ofDelays('99th percentile of the delays')),
}

export const UTILIZATION = declareGauge('nodejs.eventloop.utilization', {
  unit: '1',
  description: 'Share of the time in which the event loop was busy, since it was last asked for',
})

/** The delays since the last time that somebody read them. */
function observeEventLoop(meter: Meter, parts: DisposableStack): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION })
  delays.enable()
  parts.defer(() => delays.disable())
  let before: EventLoopUtilization = performance.eventLoopUtilization()
  const delay = ({ name, options }: Metric) => meter.createObservableGauge(name, options)
  const observed = [
    [delay(DELAYS.min), () => delays.min],
    [delay(DELAYS.max), () => delays.max],
    [delay(DELAYS.mean), () => delays.mean],
    [delay(DELAYS.p50), () => delays.percentile(50)],
    [delay(DELAYS.p90), () => delays.percentile(90)],
    [delay(DELAYS.p99), () => delays.percentile(99)],
  ] as const
  const utilization = delay(UTILIZATION)
  const observe = (result: BatchObservableResult): void => {
    const now = performance.eventLoopUtilization()
    result.observe(utilization, performance.eventLoopUtilization(now, before).utilization)
    before = now
    if (delays.count === 0) return
    for (const [gauge, nanoseconds] of observed) {
      // What is measured is the time between two looks: a loop that is never late shows 10 ms.
      result.observe(gauge, Math.max(0, nanoseconds() / NANOSECONDS - RESOLUTION / 1000))
    }
    delays.reset()
  }
  meter.addBatchObservableCallback(observe, [utilization, ...observed.map(([gauge]) => gauge)])
}

export const COLLECTION_DURATION = declareHistogram('v8js.gc.duration', {
  unit: 's',
  description: 'Pauses of garbage collection, by kind',
  boundaries: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
  labels: { 'v8js.gc.type': [...COLLECTIONS.values()] },
})

function observeCollections(meter: Meter, parts: DisposableStack): void {
  const duration = meter.createHistogram(COLLECTION_DURATION.name, COLLECTION_DURATION.options)
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      duration.record(entry.duration / 1000, { 'v8js.gc.type': COLLECTIONS.get(kindOf(entry)) ?? 'other' })
  })
  observer.observe({ entryTypes: ['gc'] })
  parts.defer(() => observer.disconnect())
}

/** As Node.js documents it for entries of the type `gc`. */
function kindOf(entry: object): number {
  const detail: unknown = 'detail' in entry ? entry.detail : null
  return typeof detail === 'object' && detail !== null && 'kind' in detail ? Number(detail.kind) : 0
}

export const MEMORY = {
  resident: declareGauge('process.memory.usage', {
    unit: 'By',
    description: 'Resident memory of the process',
  }),
  used: declareGauge('v8js.memory.heap.used', {
    unit: 'By',
    description: 'Memory that objects of the JavaScript heap take',
  }),
  heapLimit: declareGauge('v8js.memory.heap.limit', {
    unit: 'By',
    description: 'Memory that the JavaScript heap may take',
  }),
  external: declareGauge('switchyard.process.memory.external', {
    unit: 'By',
    description: 'Memory outside of the heap that its objects hold, such as buffers',
  }),
  limit: declareGauge('switchyard.process.memory.limit', {
    unit: 'By',
    description: 'Memory that the container of the process may take, or that the machine has',
  }),
}

function observeMemory(meter: Meter): void {
  const gauge = ({ name, options }: Metric) => meter.createObservableGauge(name, options)
  const resident = gauge(MEMORY.resident)
  const used = gauge(MEMORY.used)
  const heapLimit = gauge(MEMORY.heapLimit)
  const external = gauge(MEMORY.external)
  const limit = gauge(MEMORY.limit)
  meter.addBatchObservableCallback(
    (result) => {
      const usage = process.memoryUsage()
      result.observe(resident, usage.rss)
      result.observe(used, usage.heapUsed)
      result.observe(heapLimit, getHeapStatistics().heap_size_limit)
      result.observe(external, usage.external)
      result.observe(limit, memoryLimit())
    },
    [resident, used, heapLimit, external, limit],
  )
}

/** Bytes. Without a limit of the control group, Node.js says 0 or a number that no machine has. */
function memoryLimit(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

export const CPU_TIME = declareCounter('process.cpu.time', {
  unit: 's',
  description: 'Computing time that the process took, with all its threads',
  labels: { 'cpu.mode': ['user', 'system'] },
})

export const START_TIME = declareGauge('process.start_time', {
  unit: 's',
  description: 'When the process was started, in seconds since 1970',
})

export const BUILD_INFO = declareGauge('switchyard.build.info', {
  description: 'Always 1; its labels are the versions of Switchyard and of Node.js',
  labels: { version: '', node: '' },
})

function observeProcess(meter: Meter): void {
  const time = meter.createObservableCounter(CPU_TIME.name, CPU_TIME.options)
  time.addCallback((result) => {
    const { user, system } = process.cpuUsage()
    result.observe(user / 1e6, { 'cpu.mode': 'user' })
    result.observe(system / 1e6, { 'cpu.mode': 'system' })
  })
  const started = meter.createObservableGauge(START_TIME.name, START_TIME.options)
  started.addCallback((result) => result.observe(performance.timeOrigin / 1000))
  const build = meter.createObservableGauge(BUILD_INFO.name, BUILD_INFO.options)
  build.addCallback((result) => result.observe(1, { version: VERSION, node: process.versions.node }))
}
