/** A service whose behaviour is its first argument; run as a process of its own by `run-service.test.ts`. */
import { writeFile } from 'node:fs/promises'
import { createHealthServer } from '../../src/health/health.ts'
import { FrequentLines } from '../../src/logging/frequent-lines.ts'
import { runService } from '../../src/process/run-service.ts'

await runService(process, {
  name: 'sample',
  async start({ logger, signal }) {
    if (process.argv[2] === 'fails') throw new Error('the data directory is in use')
    if (process.argv[2] === 'refuses') {
      throw Object.assign(new Error('the port is taken', { cause: new Error('listen') }), {
        code: 'PORT_TAKEN',
      })
    }
    if (process.argv[2] === 'prints') console.warn('[WARN] no password is %s', 'needed')
    if (process.argv[2] === 'waits') {
      logger.info({ event: 'sample.waiting' }, 'waiting')
      const timer = setInterval(() => {}, 1000)
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          clearInterval(timer)
          reject(new Error('given up'))
        })
      })
    }
    if (process.argv[2] === 'floods') {
      // Nobody reads it yet, and more than a pipe holds.
      for (let count = 0; count < 20_000; count++) logger.info({ event: 'sample.flood', count }, 'flood')
      await writeFile(process.argv[3] ?? '', 'written')
    }
    const collected = process.argv[3] === 'collected' ? new FrequentLines(logger) : null
    for (let count = 1; count <= 3; count++)
      collected?.info(`,"event":"sample.collected","count":${count}`, 'collected')
    if (process.argv[2] === 'exits') process.exit(3)
    const server = await createHealthServer({
      host: '127.0.0.1',
      port: 0,
      live: () => ({ ok: true }),
      ready: () => ({ ok: true }),
    })
    if (process.argv[2] === 'rejects') void Promise.reject(new Error('nobody handles this'))
    if (process.argv[2] === 'throws') {
      setTimeout(() => {
        throw new Error('nobody catches this')
      }, 10)
    }
    return {
      ...(process.argv[2] === 'runs' && {
        reload: () => logger.info({ event: 'sample.reloaded' }, 'reloaded'),
      }),
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]()
        logger.info({ event: 'sample.disposed' }, 'disposed')
        if (process.argv[2] === 'notes') await writeFile(process.argv[3] ?? '', 'disposed')
        if (process.argv[2] === 'hangs') await new Promise((resolve) => setTimeout(resolve, 60_000))
      },
    }
  },
})
