/** NATS as a whole: killed, away for long, disk full. */
import type { Fault } from '../fault.ts'

export const natsKilled: Fault = {
  name: 'NATS killed',
  done: '`kill -9`, started again a second later',
  why:
    'Logs are on disk before they are acknowledged. Commands get 503 until NATS is back and are repeated; services reconnect by ' +
    'themselves and go on behind the last record that they have read. Routers need NATS only to hear of changes sooner.',
  begin: ({ nats }) => nats.kill9(),
  lasts: 1000,
  end: ({ nats }) => nats.restart(),
  healsWithin: 30_000,
}

export const natsStopped: Fault = {
  name: 'NATS stopped for 20 s',
  done: 'stopped in the orderly way, started again after 20 s',
  why: natsKilled.why,
  begin: ({ nats }) => nats.stop(),
  lasts: 20_000,
  end: ({ nats }) => nats.restart(),
  healsWithin: 30_000,
}
