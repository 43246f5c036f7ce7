/**
 * The configuration of nats-server: where it stores, and what each service may do. The rights are those of
 * the table in shared/contracts/PROTOCOL.md, written as the subjects that a client of JetStream uses for
 * them.
 *
 * Services have one account, and the events of subgraphs have another one: whoever is in one of them neither
 * hears nor sends anything in the other, whatever their subjects are.
 */
export const NATS_USERS = ['registry', 'composer', 'config-distribution', 'router', 'backup'] as const
export type NatsUser = (typeof NATS_USERS)[number]

export type NatsAccountsOptions = {
  /** Only users with a password are let in. */
  readonly passwords: Readonly<Partial<Record<NatsUser, string>>>
  /** The password of the user `events`; without one there is no account for events. */
  readonly eventsPassword?: string | undefined
  /** The routers' graph, as subjects have it: `<ns>.<graph>`. */
  readonly graph: string
}

export type NatsConfigOptions = NatsAccountsOptions & {
  /**
   * When NATS writes to disk. With `always`, acknowledged records survive a power cut. Empty for servers
   * before 2.10, which do not know the setting.
   */
  readonly syncInterval: string
}

type Rights = { readonly publish: readonly string[]; readonly subscribe: readonly string[] }

const BLOBS = 'OBJ_switchyard-blobs'
const PIECES = 'OBJ_switchyard-pieces'
const USAGE = 'KV_switchyard-usage'
const API = '$JS.API.INFO'

export function natsConfig({ syncInterval, ...accounts }: NatsConfigOptions): string {
  return `server_name: switchyard
listen: "0.0.0.0:4222"
http: "0.0.0.0:8222"
jetstream {
  store_dir: "/data"
${syncInterval === '' ? '' : `  sync_interval: ${syncInterval}\n`}}
${natsAccounts(accounts)}`
}

/**
 * The accounts with their users. A server with accounts gives JetStream to those alone that ask for it. What
 * streams of events may take is limited, so that they leave room for the logs.
 */
export function natsAccounts({ passwords, eventsPassword, graph }: NatsAccountsOptions): string {
  const rights = rightsOf(graph)
  const users = NATS_USERS.filter((user) => passwords[user] !== undefined).map((user) => {
    const { publish, subscribe } = rights[user]
    return `      { user: ${user}, password: ${JSON.stringify(passwords[user])}, permissions: {
          publish: ${JSON.stringify(publish)}
          subscribe: ${JSON.stringify(subscribe)} } }`
  })
  const events =
    eventsPassword === undefined
      ? ''
      : `  EVENTS {
    jetstream { max_memory: 64M, max_file: 1G }
    users: [
      { user: events, password: ${JSON.stringify(eventsPassword)} }
    ]
  }
`
  return `accounts {
  SWITCHYARD {
    jetstream: enabled
    users: [
${users.join('\n')}
    ]
  }
${events}}
`
}

function rightsOf(graph: string): Readonly<Record<NatsUser, Rights>> {
  const blobs = [...readStream(BLOBS), '$O.switchyard-blobs.>', ...removeFrom(BLOBS)]
  // Created by whoever of the two starts first.
  const pieces = [
    ...readStream(PIECES),
    '$O.switchyard-pieces.>',
    ...removeFrom(PIECES),
    createStream(PIECES),
  ]
  const usage = [
    ...readStream('usage'),
    createStream('usage'),
    ...readStream(USAGE),
    '$KV.switchyard-usage.>',
    `$JS.API.STREAM.PURGE.${USAGE}`,
    createStream(USAGE),
  ]
  const registry = readStream('registry')
  const compositions = readStream('compositions')
  const configs = readStream('configs')
  return {
    registry: {
      publish: [
        'registry.events.>',
        'registry.status.*',
        ...registry,
        createStream('registry'),
        // An import restores all three logs.
        'compositions.>',
        'configs.>',
        ...compositions,
        ...configs,
        ...blobs,
        createStream(BLOBS),
        ...pieces,
        ...usage,
        API,
      ],
      subscribe: [
        inboxOf('registry'),
        'router.status.>',
        'router.figures.>',
        'router.differences.>',
        'composer.status.>',
        'registry.status.>',
      ],
    },
    composer: {
      publish: [
        'compositions.>',
        'composer.status.>',
        ...compositions,
        createStream('compositions'),
        ...registry,
        ...blobs,
        ...pieces,
        API,
      ],
      subscribe: [inboxOf('composer'), 'composer.status.>', 'router.status.>'],
    },
    'config-distribution': {
      publish: [
        'configs.>',
        'config.>',
        ...configs,
        createStream('configs'),
        ...registry,
        ...compositions,
        ...readStream(BLOBS),
        ...readStream(PIECES),
        API,
      ],
      subscribe: [inboxOf('config-distribution'), 'router.status.>', 'router.figures.>'],
    },
    router: {
      publish: [
        `router.status.${graph}.*`,
        `router.figures.${graph}.*`,
        `router.differences.${graph}.*`,
        `router.usage.${graph}.*`,
        // In which account it is, so that a provider of events in the same one is noticed.
        '$SYS.REQ.USER.INFO',
      ],
      subscribe: [inboxOf('router'), `config.${graph}`, `router.status.${graph}.>`],
    },
    backup: {
      publish: [...registry, ...compositions, ...configs, ...readStream(BLOBS), ...readStream(PIECES), API],
      subscribe: [inboxOf('backup')],
    },
  }
}

/** Replies to one service, which no other may hear: the client is told to ask for them there. */
function inboxOf(user: NatsUser): string {
  return `_INBOX.${user}.>`
}

function createStream(stream: string): string {
  return `$JS.API.STREAM.CREATE.${stream}`
}

function readStream(stream: string): readonly string[] {
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.STREAM.MSG.GET.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}.>`,
    `$JS.API.CONSUMER.INFO.${stream}.>`,
    `$JS.API.CONSUMER.DELETE.${stream}.>`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.>`,
    `$JS.API.DIRECT.GET.${stream}`,
    `$JS.API.DIRECT.GET.${stream}.>`,
    `$JS.FC.${stream}.>`,
    `$JS.ACK.${stream}.>`,
  ]
}

/** A put of what is there replaces its pieces, and blobs that nothing names are swept. */
function removeFrom(stream: string): readonly string[] {
  return [`$JS.API.STREAM.PURGE.${stream}`, `$JS.API.STREAM.MSG.DELETE.${stream}`]
}
