/** The section `costs`: what operations may cost, by `@cost` and `@listSize` of the schema. */
import { z } from 'zod'
import { type NamingClients, uselessNames } from '../../settings/naming-clients.ts'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'
import { problemIf, refusing, type SettingProblem } from '../../settings/setting-problems.ts'

const NOT_LIMITED = 'it is off, so these limits limit nothing: expected measure or enforce, or no limits'

const MostCost = z.number().min(0)

export const CostsSection = section({
  mode: setting(z.enum(['off', 'measure', 'enforce']).default('off'), {
    says: '`measure`: the [cost](costs.md) of operations is estimated and measured. `enforce`: operations that cost too much are refused, too',
  }),
  max: setting(MostCost.optional(), { says: 'highest cost of one operation' }),
  list_size: setting(z.int().min(0).default(10), {
    says: 'assumed number of items of a list without `@listSize`',
  }),
  null_slicing: setting(z.enum(['estimate', 'refuse']).default('estimate'), {
    says: 'operations that give `null` or a negative number to the [arguments that say how many items a list has](costs.md): `estimate` assumes a size; `refuse` refuses them where `costs.mode` is `enforce`',
  }),
  mutation: setting(z.number().min(0).default(10), { says: 'cost of a mutation, added once' }),
  subgraphs: setting(z.record(z.string(), section({ max: MostCost })).default({}), {
    says: 'by name: `max`, the highest cost of the fields of this subgraph in one operation',
  }),
  clients: setting(z.record(z.string(), section({ max: MostCost })).default({}), {
    says: 'by the [name that a client sends](#how-clients-say-who-they-are): `max`, the highest cost of its operations, at most `costs.max`',
  }),
})
  .superRefine(({ max, clients, mode, subgraphs }, context) => {
    for (const [name, client] of Object.entries(clients)) {
      if (max === undefined || client.max <= max) continue
      const message = `expected at most costs.max (${max}): anybody can send any name, so a name lowers the limit and never raises it`
      context.addIssue({ code: 'custom', path: ['clients', name, 'max'], message })
    }
    const limits = Object.keys(clients).length + Object.keys(subgraphs).length
    if (mode !== 'enforce' || max !== undefined || limits > 0) return
    const message = 'expected a limit (max, subgraphs or clients) to enforce; measure needs none'
    context.addIssue({ code: 'custom', path: ['mode'], message })
  })
  .superRefine(
    refusing(({ mode, max, subgraphs, clients }) => {
      const isLimited = max !== undefined || Object.keys({ ...subgraphs, ...clients }).length > 0
      return problemIf(mode === 'off' && isLimited, ['mode'], NOT_LIMITED)
    }),
  )

/** Returns the limits for clients whose names nobody knows. */
export function uselessClientLimits(
  settings: NamingClients & { readonly costs: z.output<typeof CostsSection> },
): readonly SettingProblem[] {
  const names = Object.keys(settings.costs.clients)
  return uselessNames(
    settings,
    names.map((name) => ['costs', 'clients', name]),
  )
}

/** Limits of what operations may cost. */
export type CostsConfig = ReturnType<typeof costsConfigOf>

/** The settings under the names that code uses. `showSubgraphNames` tells whether refusals name subgraphs. */
export function costsConfigOf(costs: z.output<typeof CostsSection>, showSubgraphNames: boolean) {
  return {
    mode: costs.mode,
    /** Null if operations may cost any amount. */
    max: costs.max ?? null,
    listSize: costs.list_size,
    refusesNullSlicing: costs.null_slicing === 'refuse',
    mutation: costs.mutation,
    maxBySubgraph: maximaOf(costs.subgraphs),
    maxByClient: maximaOf(costs.clients),
    showSubgraphNames,
  } as const
}

function maximaOf(limits: Readonly<Record<string, { readonly max: number }>>): ReadonlyMap<string, number> {
  return new Map(Object.entries(limits).map(([name, { max }]) => [name, max]))
}
