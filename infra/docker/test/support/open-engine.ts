/** Opens an engine, prints the folder in which it works, and never stops it. */
import { dirname } from 'node:path'
import { openEngine } from '../../src/index.ts'

const { env } = await openEngine()
const host = env['DOCKER_HOST']
if (host === undefined) throw new Error('the engine of this machine was found, and none was started')
console.log(dirname(host.slice('unix://'.length)))
setInterval(() => {}, 60_000)
