/**
 * Declares routes that change something. A route says how its body becomes a command; the rights, the JSON
 * form, running a command only once, and the answer are the same for all of them.
 */
import { CommandOutcome, CommandQuery, type Problem } from '@switchyard/contracts'
import type { Command } from '@switchyard/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  type ApiOptions,
  authorize,
  identify,
  namespaceInPath,
  NamespacePath,
  ProblemResponse,
  requireJson,
} from '../api/api.ts'
import { Callers } from '../api/callers.ts'
import { checked } from '../api/checked.ts'
import { runCommand } from './command-run.ts'

/** The checked path parameters and body from which a route makes its command. */
export type RouteInput<Params, Body> = { readonly params: Params; readonly body: Body }

/** Every body may say why the command is given. Commands do not see it: the record keeps it. */
type CommandBody = z.ZodType<{ readonly reason?: string | undefined }>
type WithoutReason<Body extends CommandBody> = Omit<z.output<Body>, 'reason'>

/** A command with what only its route can find out. */
export type CommandWithFacts = {
  readonly command: Command
  /** Warnings for the user. */
  readonly warnings?: readonly string[]
  /** The sequence of the state that the command was judged on, after which nothing may have changed. */
  readonly judgedAt?: number | undefined
}

export type CommandRoute<Params extends z.ZodType, Body extends CommandBody> = {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly summary: string
  readonly params: Params
  readonly body: Body
  /** The largest body in bytes. 2 MiB if it is absent. */
  readonly bodyLimit?: number
  /** The permission that the command needs. `deploy` if it is absent. */
  readonly permission?: 'publish' | 'rollout' | 'abort' | 'preview'
  /** Returns the namespace of the command. If it is absent, the path names the namespace. */
  readonly namespace?: (body: WithoutReason<Body>) => string
  /** May refuse by throwing a ProblemError. */
  readonly command: (
    received: RouteInput<z.output<Params>, WithoutReason<Body>>,
  ) => Command | CommandWithFacts | Promise<Command | CommandWithFacts>
  /** Refuses commands for reasons that only the other logs show. */
  readonly objection?: (
    received: RouteInput<z.output<Params>, WithoutReason<Body>>,
  ) => Promise<Problem | null>
}

export type CommandRoutes = {
  readonly add: <Params extends z.ZodType, Body extends CommandBody>(
    route: CommandRoute<Params, Body>,
  ) => void
}

export function commandRoutes(server: FastifyInstance, options: ApiOptions): CommandRoutes {
  const callers = new Callers()

  const add: CommandRoutes['add'] = (route) => {
    const { method, url, summary, params, body, bodyLimit, permission: kind = 'deploy' } = route
    const read = (request: FastifyRequest) => receivedBy(route, request)
    const isInPath = route.namespace === undefined
    /**
     * Runs before the body is read, so that a caller without the right cannot make the registry read
     * megabytes.
     */
    const onRequest = async (request: FastifyRequest) => {
      const caller = isInPath
        ? await authorize(options, request, { kind, namespace: namespaceInPath(request) })
        : await identify(options, request)
      callers.note(request, caller)
      requireJson(request)
    }
    const preHandler = async (request: FastifyRequest) => {
      if (!isInPath) await authorize(options, request, { kind, namespace: read(request).namespace })
    }
    server.route({
      method,
      url,
      schema: {
        summary,
        params,
        body,
        querystring: CommandQuery,
        response: { 200: CommandOutcome, 201: CommandOutcome, ...ProblemResponse },
      },
      ...(bodyLimit === undefined ? {} : { bodyLimit }),
      onRequest,
      preHandler,
      handler: async (request, reply) => {
        const caller = callers.of(request)
        const { namespace, received, reason, waitMs } = read(request)
        const made = await route.command(received)
        const facts: CommandWithFacts = 'command' in made ? made : { command: made }
        const { command, warnings = [], judgedAt = null } = facts
        const objection = (await route.objection?.(received)) ?? null
        return runCommand(options, request, reply, {
          namespace,
          command,
          reason,
          warnings,
          waitMs,
          caller,
          judgedAt,
          objection,
        })
      },
    })
  }
  return { add }
}

function receivedBy<Params extends z.ZodType, Body extends CommandBody>(
  { params, body, namespace }: CommandRoute<Params, Body>,
  request: FastifyRequest,
) {
  const { reason = null, ...rest } = checked(body, request.body)
  const received = { params: checked(params, request.params), body: rest }
  return {
    received,
    reason,
    namespace: namespace?.(received.body) ?? checked(NamespacePath, request.params).namespace,
    waitMs: checked(CommandQuery, request.query).wait,
  }
}
