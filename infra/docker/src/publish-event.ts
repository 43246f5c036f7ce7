/** `node publish-event.ts <subject> <JSON>`: publishes one event to the NATS of `NATS_URL`. */
import { connectNats } from '@switchyard/event-log/connect-nats'
import { messageOf } from '@switchyard/values'

const CONNECTED_WITHIN_MS = 10_000

const { NATS_URL: url } = process.env
const [subject, event] = process.argv.slice(2)
if (url === undefined || subject === undefined || event === undefined) {
  process.stderr.write('Usage: publish-event.ts <subject> <JSON>, with NATS_URL in the environment\n')
  process.exitCode = 2
} else {
  try {
    JSON.parse(event)
    await publish(url, subject, event)
    process.stdout.write(`Published to ${subject}.\n`)
  } catch (error) {
    process.stderr.write(`Nothing was published to ${subject}: ${messageOf(error)}\n`)
    process.exitCode = 1
  }
}

async function publish(address: string, to: string, text: string): Promise<void> {
  let reason = 'NATS does not answer'
  const connecting = connectNats({
    url: address,
    name: 'events',
    signal: AbortSignal.timeout(CONNECTED_WITHIN_MS),
    onProblem: (problem) => void (reason = problem?.message ?? reason),
  })
  await using link = await connecting.catch((cause: unknown) => {
    throw new Error(reason, { cause })
  })
  link.connection.publish(to, text)
  await link.connection.flush()
}
