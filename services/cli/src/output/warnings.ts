import { printableLine } from '@switchyard/service-kit/printable'
import type { CliContext } from '../run/context.ts'
import { styleFor } from './style.ts'

/** Warnings for people, a line each, to be written to stderr. */
export function printWarnings(texts: readonly string[], { stderr, env }: CliContext): string {
  const { yellow } = styleFor(stderr, env)
  return texts.map((text) => `${yellow('warning')}: ${printableLine(text)}`).join('\n')
}
