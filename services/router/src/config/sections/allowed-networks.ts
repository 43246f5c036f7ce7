/** Settings that say which addresses the router may connect to. */
import { z } from 'zod'
import { problemOfNetwork } from '../../addresses/allowed-networks.ts'

/** `public`, `private`, `loopback`, an address or a network. */
export const AllowedNetwork = z.string().superRefine((text, context) => {
  const message = problemOfNetwork(text)
  if (message !== null) context.addIssue({ code: 'custom', message })
})
