/**
 * Whether a service has the connection that it needs to a server of the platform, and how often it had to be
 * made again.
 */
import { metrics } from '@opentelemetry/api'
import { observeTogether } from './observe-together.ts'
import { declareCounter, declareGauge } from './metric.ts'

export type ObservedConnection = Disposable & {
  /** Set when the connection is made and when it is lost; the same may be set twice. */
  set connected(value: boolean)
}

export const CONNECTED = declareGauge('switchyard.connection.connected', {
  description: 'Whether a service is connected to a server of the platform: 1 or 0',
  labels: { system: ['nats', 'redis'], server: 'without credentials' },
})

export const RECONNECTS = declareCounter('switchyard.connection.reconnects', {
  description: 'How often a connection to a server of the platform was made again',
  labels: { system: '', server: '' },
})

/**
 * Reports the state of a connection, until it is disposed of. `server` is its address without credentials.
 */
export function observeConnection(system: 'nats' | 'redis', server: string): ObservedConnection {
  const meter = metrics.getMeter('@switchyard/service-kit')
  const connected = meter.createObservableGauge(CONNECTED.name, CONNECTED.options)
  const reconnects = meter.createObservableCounter(RECONNECTS.name, RECONNECTS.options)
  const labels = { system, server }
  let isConnected = false
  let wasConnected = false
  let count = 0
  const observing = observeTogether(meter, [connected, reconnects], (result) => {
    result.observe(connected, isConnected ? 1 : 0, labels)
    result.observe(reconnects, count, labels)
  })
  return {
    set connected(value: boolean) {
      if (value && !isConnected && wasConnected) count++
      isConnected = value
      wasConnected ||= value
    },
    [Symbol.dispose]: () => observing[Symbol.dispose](),
  }
}
