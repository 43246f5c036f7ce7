/**
 * Answers of the registry's API that pages in a browser need besides those of programs: sessions, changes as
 * they happen, and the services that run. Programs may use them as well.
 */
import { z } from 'zod'
import { Sequence } from './names.ts'

/** The header that writes of a session carry; its value is `csrf` of the session. */
export const CSRF_HEADER = 'x-switchyard-csrf'

/** `GET /v1/sign-in`, for everybody: the ways to begin a session. */
export const SignInWays = z.object({
  /** Whether the session of a one-time link may be begun, which `switchyard up` prints. */
  link: z.boolean(),
  apiKey: z.boolean(),
  /** An identity provider by its name for people. Null if none is set up. */
  openIdConnect: z.object({ name: z.string(), start: z.string() }).nullable(),
})
export type SignInWays = z.infer<typeof SignInWays>

/** Body of `POST /v1/session`: an API key, or the secret of a one-time link. */
export const BeginSession = z.union([
  z.strictObject({ apiKey: z.string().min(1).max(1000) }),
  z.strictObject({ link: z.string().min(1).max(1000) }),
])
export type BeginSession = z.infer<typeof BeginSession>

/** Answer of `POST /v1/session/links`: a link that begins one session, with the rights of the API key. */
export const SessionLink = z.object({
  /** Holds the secret, so it is shown to nobody but its owner. */
  url: z.string(),
  /** Unix milliseconds. */
  expiresAt: z.number(),
})
export type SessionLink = z.infer<typeof SessionLink>

/** Answer of `POST /v1/session` and `GET /v1/session`. */
export const SessionView = z.object({
  /** `key:<id>`, `bootstrap`, or `oidc:<issuer>#<subject>`. */
  actor: z.string(),
  /** A name for people. */
  name: z.string(),
  scopes: z.array(z.string()),
  csrf: z.string(),
  /** Unix milliseconds: when it was begun, when it ends, and when it ends unless it is used before. */
  signedInAt: z.number(),
  expiresAt: z.number(),
  idleAt: z.number(),
})
export type SessionView = z.infer<typeof SessionView>

/** Figures of a process, as its heartbeats tell them. */
export const ProcessLoad = z.object({
  /** Unix milliseconds. */
  startedAt: z.number(),
  residentBytes: z.number(),
  heapBytes: z.number(),
  /** Share of the last seconds in which the event loop was busy. */
  eventLoopUtilization: z.number().min(0).max(1),
  /** The 99th percentile of how late the event loop was in the last seconds, in milliseconds. */
  eventLoopDelayMs: z.number(),
  /** Requests in progress, and since the start; only of those that answer requests. */
  active: z.int().min(0).optional(),
  requests: z.int().min(0).optional(),
  errors: z.int().min(0).optional(),
})
export type ProcessLoad = z.infer<typeof ProcessLoad>

/** `registry.status.<instance>`: every 5 s, at the start, and at the stop. */
export const RegistryHeartbeat = z.object({
  instance: z.string().min(1).max(200),
  boot: z.string().max(200),
  stopping: z.boolean(),
  version: z.string().max(64),
  load: ProcessLoad,
})
export type RegistryHeartbeat = z.infer<typeof RegistryHeartbeat>

/** `GET /v1/services`: composers and registries that were heard of. Routers have `GET /v1/routers`. */
export const ServiceList = z.object({
  services: z.array(
    z.object({
      kind: z.enum(['registry', 'composer']),
      instance: z.string(),
      version: z.string().nullable(),
      /** `lost`: not heard for 15 s, and listed for a minute. */
      state: z.enum(['running', 'stopping', 'lost']),
      ageSeconds: z.number(),
      /** Graphs that a composer composes at this moment. */
      composing: z.array(z.string()),
      load: ProcessLoad.nullable(),
    }),
  ),
})
export type ServiceList = z.infer<typeof ServiceList>

/**
 * Events of `GET /v1/live`, server-sent: `event` is the `kind`, `data` the JSON of the rest, and `id` the
 * sequence of the registry's log up to which everything was told.
 */
export const LiveEvent = z.discriminatedUnion('kind', [
  /**
   * The first event of a connection. `missed`: what happened before cannot be told, so read everything anew.
   */
  z.object({ kind: z.literal('hello'), sequence: Sequence, missed: z.boolean() }),
  /** A command was applied. The namespace is null if it belongs to none. */
  z.object({
    kind: z.literal('changed'),
    sequence: Sequence,
    namespace: z.string().nullable(),
    graphs: z.array(z.string()),
  }),
  /** A graph was composed, or routers were given a revision of it. */
  z.object({ kind: z.literal('composed'), namespace: z.string(), graph: z.string() }),
  z.object({ kind: z.literal('published'), namespace: z.string(), graph: z.string() }),
  /** A router or service came, changed what it serves, or went. Its figures alone are no such change. */
  z.object({ kind: z.literal('fleet') }),
  /** Every 5 s, of the graphs that the caller may read: since the figures before. */
  z.object({
    kind: z.literal('figures'),
    graphs: z.array(
      z.object({
        namespace: z.string(),
        graph: z.string(),
        routers: z.int(),
        requestsPerSecond: z.number(),
        errorsPerSecond: z.number(),
      }),
    ),
  }),
])
export type LiveEvent = z.infer<typeof LiveEvent>
