/** Panels about processes, which are the same for every service. */
import { type Panel, rate } from './panel.ts'

/** Returns panels about processes. `matchers` choose the processes. */
export function processPanels(matchers: string): readonly Panel[] {
  return [
    {
      title: 'Event loop delay',
      description:
        'One turn in a hundred was later than this. Above 50 ms everybody who uses that process waits.',
      unit: 's',
      redFrom: 0.05,
      queries: [{ expr: `nodejs_eventloop_delay_p99_seconds{${matchers}}`, legend: '{{instance}}' }],
    },
    {
      title: 'Time in which the event loop is busy',
      description: 'At 100 % the process can do no more on its main thread: start another of its kind.',
      unit: 'percentunit',
      queries: [{ expr: `nodejs_eventloop_utilization_ratio{${matchers}}`, legend: '{{instance}}' }],
    },
    {
      title: 'Computing time',
      description: 'Cores that the process keeps busy, with its threads.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (instance) (${rate(`process_cpu_time_seconds_total{${matchers}}`)})`,
          legend: '{{instance}}',
        },
      ],
    },
    {
      title: 'Time in garbage collection',
      description: 'Share of the time in which the process did nothing but collect.',
      unit: 'percentunit',
      queries: [
        {
          expr: `sum by (instance) (${rate(`v8js_gc_duration_seconds_sum{${matchers}}`)})`,
          legend: '{{instance}}',
        },
      ],
    },
    {
      title: 'Memory of the process',
      description: 'Resident memory, as the operating system counts it.',
      unit: 'bytes',
      queries: [{ expr: `process_memory_usage_bytes{${matchers}}`, legend: '{{instance}}' }],
    },
    {
      title: 'JavaScript heap in use',
      description: 'A line that only rises over hours is a leak.',
      unit: 'bytes',
      queries: [{ expr: `v8js_memory_heap_used_bytes{${matchers}}`, legend: '{{instance}}' }],
    },
  ]
}
