/** Settings that say which addresses the router may connect to. */
import { NETWORK_PATTERN } from '@switchyard/service-kit'
import { z } from 'zod'
import { NETWORK_WORDS, problemOfNetwork } from '../addresses/allowed-networks.ts'

/** `public`, `private`, `loopback`, an address or a network. */
export const AllowedNetwork = z
  .string()
  .superRefine((text, context) => {
    const message = problemOfNetwork(text)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
  .meta({ pattern: `^(?:${NETWORK_WORDS.join('|')}|${NETWORK_PATTERN})$` })
