import { expect, it } from 'vitest'
import { freeSubnets } from '../src/index.ts'

const HEAD = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n'
/** A bridge that is down is in the table as well. */
const route = (number: number) =>
  `br-0\t00${number.toString(16).toUpperCase().padStart(2, '0')}1EAC\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n`

it('networks are chosen that the machine has no route to', () => {
  const routes = HEAD + [110, 112, 239].map(route).join('')
  expect(freeSubnets(2, routes, 10)).toEqual(['172.30.111.0/24', '172.30.113.0/24'])
  expect(freeSubnets(2, routes, 139)).toEqual(['172.30.100.0/24', '172.30.101.0/24'])
  expect(freeSubnets(3, HEAD, 140)).toEqual(['172.30.100.0/24', '172.30.101.0/24', '172.30.102.0/24'])
})

it('an error says that all are taken', () => {
  const all = HEAD + Array.from({ length: 140 }, (_, index) => route(100 + index)).join('')
  expect(() => freeSubnets(1, all)).toThrow('All networks 172.30.100.0/24 and up are taken')
})

it('the table of this machine can be read', () => {
  expect(freeSubnets(2)).toHaveLength(2)
})
