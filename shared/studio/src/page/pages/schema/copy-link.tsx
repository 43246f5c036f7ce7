import { useRouter } from '@tanstack/react-router'
import { Copy } from '../../parts/command.tsx'
import { SCHEMA, useSchemaAddress } from './use-schema-address.ts'

/** A button that copies the address of a type or field, without what was sought for to find it. */
export function CopyLink({
  type,
  field,
  label,
}: {
  readonly type: string
  readonly field?: string
  readonly label: string
}) {
  const router = useRouter()
  const { params, search } = useSchemaAddress()
  const { publicHref } = router.buildLocation({
    to: SCHEMA,
    params,
    search: { composition: search.composition, type, field },
  })
  return <Copy text={new URL(publicHref, location.origin).href} label={label} />
}
