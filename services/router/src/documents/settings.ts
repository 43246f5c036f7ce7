/** The section `documents`: which documents the router knows, and whether clients may send others. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { type NamingClients, uselessNames } from '../clients/settings.ts'
import { duration, size } from '../settings/quantities.ts'
import { redisConfigOf, RedisSettings } from '../settings/redis-settings.ts'
import { section } from '../settings/section.ts'
import { refusing, type SettingProblem } from '../settings/setting-problems.ts'
import { setting } from '../settings/setting.ts'
import { camelCased } from '../settings/camel-cased.ts'

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
  mode: Mode.default('off'),
  manifests: z.array(Manifest).max(100, 'expected at most 100 manifests').default([]),
  /** Whether manifests are used that were published for the graph. */
  published: setting(z.boolean().default(false), { needsRestart: true }),
  /** Members of a request with the identifier of its document, beside `documentId`. */
  id_parameters: z.array(IdParameter).max(8, 'expected at most 8 names').default(['doc_id']),
  /** Largest size of one file. */
  max_manifest_size: size('32MiB', '1'),
  /** Interval at which the files are read again. */
  reload_interval: duration('30s').refine((interval) => interval > 0, 'expected at least 1ms'),
  /** Documents that each composition keeps prepared before they are asked for. */
  warm_up: z.int().min(0).max(10_000).default(100),
  /** Automatic persisted queries: clients may add documents. */
  apq: section({
    enabled: z.boolean().default(false),
    /** Largest size of all documents that clients have added, together. */
    max_size: size('16MiB', '4KiB'),
    /**
     * The Redis in which routers share documents. Without one, each process knows only the documents that it
     * was sent.
     */
    redis: RedisSettings,
    /** Time for which Redis keeps a document that nobody asks for. */
    kept_for: duration('24h').refine((time) => time >= 1000, 'expected at least 1s'),
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
