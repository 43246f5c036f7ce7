import type { Client } from '../../src/fairness/client.ts'

export function clientAt(address: string, name = ''): Client {
  return { address, name }
}

export const SOMEBODY = clientAt('192.0.2.1')
