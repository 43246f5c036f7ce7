/** The section `documents`: which documents the router knows, and whether clients may send others. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { type NamingClients, uselessNames } from '../../settings/naming-clients.ts'
import { duration, size } from '../../settings/quantities.ts'
import { redisConfigOf, redisSettings } from '../../settings/redis-settings.ts'
import { section } from '../../settings/section.ts'
import { refusing, type SettingProblem } from '../../settings/setting-problems.ts'
import { setting } from '../../settings/setting.ts'
import { camelCased } from '../../settings/camel-cased.ts'

const MODES = ['off', 'allow', 'log_unknown', 'safelist', 'ids_only'] as const
const Mode = z.enum(MODES, { error: () => `expected one of ${MODES.join(', ')}` })

/** A file, named as seen from the settings file. */
const Manifest = z.strictObject({
  file: z.string().min(1),
  /** Names of the clients that may use the manifest. Without them, all clients may. */
  clients: z.array(z.string().min(1).max(128)).min(1, 'expected at least one name, or no clients').optional(),
})

const IdParameter = z
  .string()
  .regex(/^[A-Za-z_][0-9A-Za-z_]{0,63}$/, 'expected a name such as doc_id')
  .refine(
    (name) => !['query', 'operationName', 'variables', 'extensions'].includes(name),
    'this part of a request means something else: expected another name',
  )

export const DocumentsSection = section({
  mode: setting(Mode.default('off'), {
    says: 'which forms of documents are accepted, see [persisted-documents.md](persisted-documents.md). `off`: texts; `allow`: texts, and identifiers of documents in manifests; `log_unknown`: the same, and texts that are in no manifest are logged; `safelist`: only texts and identifiers of documents in manifests; `ids_only`: only identifiers',
  }),
  manifests: setting(z.array(Manifest).max(100, 'expected at most 100 manifests').default([]), {
    says: 'manifest files, at most 100, each `{file: path, clients: [name, …]}`; without `clients` all clients may use it. Paths are relative to the settings file',
  }),
  published: setting(z.boolean().default(false), {
    says: 'true: manifests that were [published for the graph](persisted-documents.md#manifests-that-are-published) are used, beside those of files',
    needsRestart: true,
  }),
  id_parameters: setting(z.array(IdParameter).max(8, 'expected at most 8 names').default(['doc_id']), {
    says: 'members of a body, or parameters of a URL, with the identifier of a document, beside `documentId` and `extensions.persistedQuery`; at most 8',
  }),
  max_manifest_size: setting(size('32MiB', '1'), { says: 'size of one manifest' }),
  reload_interval: setting(
    duration('30s').refine((interval) => interval > 0, 'expected at least 1ms'),
    { says: 'how often the files are checked; changed files are used without a restart' },
  ),
  warm_up: setting(z.int().min(0).max(10_000).default(100), {
    says: 'how many documents each composition keeps validated in advance, and planned if the plan depends on no variables: the first ones in the manifests',
  }),
  /** Automatic persisted queries: clients may add documents. */
  apq: section({
    enabled: setting(z.boolean().default(false), {
      says: 'true: clients may add documents by [sending them once with their hash](persisted-documents.md#automatic-persisted-queries) (automatic persisted queries); not with `safelist` and `ids_only`',
    }),
    max_size: setting(size('16MiB', '4KiB'), {
      says: 'memory for these documents; one client address can use half of it',
    }),
    /**
     * The Redis in which routers share documents. Without one, each process knows only the documents that it
     * was sent.
     */
    redis: redisSettings({
      url: 'the Redis in which routers [share these documents](persisted-documents.md#shared-by-routers), written as [`SWITCHYARD_REDIS_URL`](nats-and-redis.md). Without it each process knows only those that clients sent to it',
      prefix: 'prefix of all keys; routers with the same prefix share their documents',
    }),
    kept_for: setting(
      duration('24h').refine((time) => time >= 1000, 'expected at least 1s'),
      { says: 'how long a document that nobody requests stays in Redis' },
    ),
  }),
}).superRefine(refusing((documents) => documentProblems(documents)))

type RuledDocuments = {
  readonly mode: (typeof MODES)[number]
  readonly manifests: readonly object[]
  readonly published: boolean
  readonly apq: { readonly enabled: boolean; readonly redis?: object | undefined }
}

const UNUSED_MANIFESTS = 'nobody may use these manifests: expected another documents.mode than off'

/** Lists the problems between the settings of the section. */
export function documentProblems({
  mode,
  manifests,
  published,
  apq,
}: RuledDocuments): readonly SettingProblem[] {
  const problems: SettingProblem[] = []
  if (mode !== 'off' && manifests.length === 0 && !published)
    problems.push({
      path: ['mode'],
      message: `${mode} needs documents: expected at least one file in documents.manifests, or documents.published`,
    })
  if (mode === 'off' && manifests.length > 0)
    problems.push({ path: ['manifests'], message: UNUSED_MANIFESTS })
  if (mode === 'off' && published) problems.push({ path: ['published'], message: UNUSED_MANIFESTS })
  if (apq.redis !== undefined && !apq.enabled)
    problems.push({
      path: ['apq', 'redis'],
      message: 'clients cannot add documents, so there are none to share: expected apq.enabled',
    })
  if (apq.enabled && (mode === 'safelist' || mode === 'ids_only'))
    problems.push({
      path: ['apq', 'enabled'],
      message: `with the mode ${mode} clients cannot add documents: expected false`,
    })
  return problems
}

/** Returns the lists of clients that may use a manifest, if nobody knows the names of clients. */
export function uselessManifestClients(
  settings: NamingClients & { readonly documents: Pick<z.output<typeof DocumentsSection>, 'manifests'> },
): readonly SettingProblem[] {
  const paths = settings.documents.manifests.flatMap(({ clients }, index) =>
    clients === undefined ? [] : [['documents', 'manifests', index, 'clients']],
  )
  return uselessNames(settings, paths)
}

/** Documents that the router knows. Files are absolute paths. */
export type DocumentsConfig = ReturnType<typeof documentsConfigOf>

/** The settings under the names that code uses. `folder` is the one that paths in them start from. */
export function documentsConfigOf(settings: z.output<typeof DocumentsSection>, folder: string) {
  const { manifests, apq, ...asDeclared } = camelCased(settings)
  return {
    ...asDeclared,
    apq: {
      enabled: apq.enabled,
      maxSize: apq.max_size,
      keptFor: apq.kept_for,
      /** Null if each process knows those that it was sent. */
      redis: redisConfigOf(apq.redis, folder),
    },
    manifests: manifests.map((manifest) => ({ ...manifest, file: resolve(folder, manifest.file) })),
    /** Whether the client decides what the answer is. */
    isByClient: settings.published || manifests.some(({ clients }) => clients !== undefined),
  } as const
}
