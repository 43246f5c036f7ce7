/**
 * A process that starts two or more workers and shares a port among them, in one of four ways. For
 * `accepting.ts`. Each worker answers HTTP requests with its number, after half a millisecond of work.
 */
import { type ChildProcess, fork } from 'node:child_process'
import cluster from 'node:cluster'
import { createServer as createHttpServer } from 'node:http'
import { createServer, Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

export type Way = 'round-robin' | 'shared-handle' | 'reuse-port' | 'handed'

const [way = '', count = '2', port = '0'] = process.argv.slice(2)
const number = Number(process.env['NUMBER'] ?? '0')

if (number === 0) lead()
else work()

function lead(): void {
  const workers = new Map<number, ChildProcess>()
  const start = (name: number): void => {
    const env = { ...process.env, NUMBER: String(name) }
    let child: ChildProcess
    if (way === 'handed') child = fork(fileURLToPath(import.meta.url), process.argv.slice(2), { env })
    else {
      cluster.schedulingPolicy = way === 'shared-handle' ? cluster.SCHED_NONE : cluster.SCHED_RR
      child = cluster.fork(env).process
    }
    child.on('message', (message: { up?: true; taken?: number }) => {
      if (message.up === true) {
        workers.set(name, child)
        process.send?.({ up: name, pid: child.pid })
        pass()
      }
      if (message.taken !== undefined) {
        waiting.get(message.taken)?.socket.destroy()
        waiting.delete(message.taken)
      }
    })
    child.on('exit', () => start(name))
    // After everything that it had said: what it did not say that it took, it has not read from.
    child.on('close', () => {
      workers.delete(name)
      for (const connection of waiting.values()) if (connection.to === child) connection.to = null
      pass()
    })
  }
  const waiting = new Map<number, { readonly socket: Socket; to: ChildProcess | null }>()
  let turn = 0
  let lastId = 0
  const pass = (): void => {
    const ready = [...workers.values()]
    if (ready.length === 0) return
    for (const [id, connection] of waiting) {
      if (connection.to !== null) continue
      connection.to = ready[turn++ % ready.length] ?? null
      connection.to?.send({ id }, connection.socket, { keepOpen: true }, () => {})
    }
  }
  if (way === 'handed') {
    createServer({ pauseOnConnect: true }, (socket) => {
      socket.on('error', () => {})
      waiting.set(++lastId, { socket, to: null })
      pass()
    }).listen(Number(port), '127.0.0.1')
  }
  for (let name = 1; name <= Number(count); name++) start(name)
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: user + system })
  })
  process.on('disconnect', () => {
    for (const child of workers.values()) child.kill('SIGKILL')
    process.exit()
  })
}

function work(): void {
  const server = createHttpServer((request, response) => {
    if (request.url === '/cpu') {
      const { user, system } = process.cpuUsage()
      response.end(String(user + system))
      return
    }
    const until = performance.now() + 0.5
    while (performance.now() < until);
    response.end(String(number))
  })
  server.keepAliveTimeout = 60_000
  const up = () => process.send?.({ up: true })
  if (way === 'handed') {
    process.on('message', ({ id }: { id: number }, socket) => {
      process.send?.({ taken: id })
      if (socket instanceof Socket) server.emit('connection', socket)
    })
    server.emit('listening')
    up()
  } else server.listen({ port: Number(port), host: '127.0.0.1', reusePort: way === 'reuse-port' }, up)
  process.on('SIGTERM', () => {
    if (way !== 'handed') server.close(() => process.exit())
  })
}
