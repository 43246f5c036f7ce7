/** Attacks what feeds routers. */
import { workerData } from 'node:worker_threads'
import { carryOut } from './carry-out.ts'
import { PLATFORM_ATTACKS, type PlatformField } from './platform-attacks.ts'

export type PlatformAttackerSetUp = Omit<PlatformField, 'signal' | 'tally'> & { readonly name: string }

const { name, ...field } = workerData as PlatformAttackerSetUp
await carryOut(PLATFORM_ATTACKS, name, (known) => ({ ...field, ...known }))
