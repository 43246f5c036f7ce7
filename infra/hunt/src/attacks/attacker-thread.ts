/** Attacks a router. */
import { workerData } from 'node:worker_threads'
import { ATTACKS } from './all-attacks.ts'
import { carryOut } from './carry-out.ts'

export type AttackerSetUp = { readonly name: string; readonly port: number; readonly address: string }

const { name, port, address } = workerData as AttackerSetUp
await carryOut(ATTACKS, name, (known) => ({ host: '127.0.0.1', port, address, ...known }))
