/**
 * Measures answers to requests for many flags of a large supergraph: all flags once, right after a router is
 * ready that does not know which flags are in use; then one flag after the other, from several clients; and
 * all flags once more after the router was restarted, when it knows. See README.md.
 *
 *   node services/router/bench/many-flags.ts [--flags 30] [--types 6000] [--clients 8] [--seconds 60]
 *   [--heap <MiB of a router>] [--pieces 0] [--settings <YAML>] [--tree <another checkout, installed>]
 */
import { pathToFileURL } from 'node:url'
import { benchOptions } from './bench-options.ts'
import { ConfigWorld } from '../test/support/config-world.ts'
import { type RouterProcess, startRouterProcess } from '../test/support/router-process.ts'
import { startShop } from '../test/support/shop.ts'
import { largeComposition } from './large-compositions.ts'

const options = benchOptions({
  flags: 30,
  types: 6000,
  clients: 8,
  seconds: 60,
  heap: 0,
  pieces: 1,
  settings: '',
  tree: null,
})

await using shop = await startShop()
await using world = await ConfigWorld.create()
const base = largeComposition(shop.base, options.types, 'base')
const names = Array.from({ length: options.flags }, (_, index) => `flag-${index}`)
const flags = Object.fromEntries(
  names.map((name, index) => [name, largeComposition(shop.flag, options.types, `flag${index}`)]),
)
console.log(`${(base.artifact.supergraphSdl.length / 2 ** 20).toFixed(1)} MiB each, ${names.length} flags`)
await world.publish({ revision: 1, base, flags, stored: options.pieces === 0 ? 'as a whole' : 'both' })

{
  await using router = await start('a router that knows no flag in use')
  tell('all flags at once', await Promise.all(names.map((flag) => ask(router, flag))))
  const answers: Answer[] = []
  const until = performance.now() + options.seconds * 1000
  let turn = 0
  const clients = Array.from({ length: options.clients }, async () => {
    while (performance.now() < until) answers.push(await ask(router, names[turn++ % names.length] ?? ''))
  })
  await Promise.all(clients)
  tell(`in turn, ${options.clients} clients`, answers)
  await tellOf(router)
}
await using router = await start('the same after a restart')
tell('all flags at once', await Promise.all(names.map((flag) => ask(router, flag))))
await tellOf(router)

async function start(what: string): Promise<RouterProcess> {
  const began = performance.now()
  const started = await startRouterProcess(world, `access_log: { enabled: false }\n${options.settings}`, {
    keepsCopies: true,
    node: options.heap === 0 ? [] : [`--max-old-space-size=${options.heap}`],
    ...(options.tree !== null && { tree: pathToFileURL(`${options.tree}/`) }),
  })
  const { cpu } = await started.look()
  console.log(`${what}: ready after ${inSeconds(performance.now() - began)}, ${inSeconds(cpu / 1000)} of CPU`)
  return started
}

async function tellOf(asked: RouterProcess): Promise<void> {
  const { resident, cpu } = await asked.measure()
  const built = asked.logs.filter(({ event }) => event === 'generation.built').length
  console.log(
    `${built} compositions compiled, ${inSeconds(cpu / 1000)} of CPU, ${(resident / 2 ** 20).toFixed(0)} MiB resident`,
  )
  for (const { msg } of asked.logs.filter(({ event }) => event === 'flags.memory-too-small')) console.log(msg)
}

type Answer = { readonly status: number; readonly milliseconds: number }

async function ask(router: RouterProcess, flag: string): Promise<Answer> {
  const asked = performance.now()
  const response = await fetch(router.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-feature-flag': flag },
    body: '{"query":"{ version }"}',
  })
  const text = await response.text()
  if (response.status === 200 && !text.includes('products-next')) throw new Error(`not by the flag: ${text}`)
  return { status: response.status, milliseconds: performance.now() - asked }
}

function tell(what: string, of: readonly Answer[]): void {
  const refused = of.filter(({ status }) => status === 503).length
  const times = of.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  const median = inSeconds(times[Math.floor(times.length / 2)] ?? 0)
  const longest = inSeconds(times.at(-1) ?? 0)
  console.log(`${what}: ${refused} × 503 of ${of.length}, median ${median}, longest ${longest}`)
}

function inSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
