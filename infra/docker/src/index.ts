export { type Engine, engineMissing, openEngine } from './engine.ts'
export { natsAccounts, natsConfig, type NatsUser } from './nats-config.ts'
export { redisUsers } from './redis-users.ts'
export { type Finished, runProgram } from './run-program.ts'
