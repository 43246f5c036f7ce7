/** The choices of the page, as the address has them, and the ways to change them. */
import { getRouteApi, useNavigate } from '@tanstack/react-router'

export const SCHEMA = '/ns/$namespace/graphs/$graph/schema'
const route = getRouteApi(SCHEMA)

export type SchemaSearch = ReturnType<typeof route.useSearch>

export function useSchemaAddress() {
  const params = route.useParams()
  const search = route.useSearch()
  const navigate = useNavigate()
  return {
    params,
    search,
    composition: search.composition ?? 'base',
    /** Changes some of it; what becomes undefined leaves the address. */
    change: (changes: SchemaSearch) =>
      void navigate({
        to: SCHEMA,
        params,
        search: { ...search, ...changes },
        replace: true,
        resetScroll: false,
      }),
  }
}
