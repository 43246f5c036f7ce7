import { NamespaceList } from '@switchyard/contracts'
import { addGroup, addReadCommand, addWriteCommand } from '../make-command.ts'
import type { Invocation, Noun } from '../command.ts'
import { listed } from '../command-result.ts'
import type { CliCommand } from '../command-tree.ts'
import { apiPath } from '../registry/registry-client.ts'
import { namespaceName, type ValueType } from '../value-types.ts'

const newNamespace: ValueType<string> = { parse: namespaceName.parse }

export function addNamespaceCommands(program: CliCommand, invocation: Invocation, noun: Noun): void {
  const namespace = addGroup(program, noun)

  addWriteCommand(namespace, invocation, {
    name: 'create',
    argument: { name: 'name', type: newNamespace },
    description: 'create a namespace',
    namespaced: false,
    examples: ['namespace create staging'],
    request: ({ argument }) => ({
      method: 'POST',
      path: apiPath('namespaces'),
      body: { name: argument },
      namespace: argument,
    }),
  })

  addWriteCommand(namespace, invocation, {
    name: 'delete',
    argument: { name: 'name', type: namespaceName },
    description: 'delete a namespace and everything in it; "default" cannot be deleted',
    namespaced: false,
    examples: ['namespace delete staging', 'namespace delete staging --force'],
    confirm: async ({ registry, argument }) => {
      const { namespaceDeletion, readNamespace } = await import('../consequences.ts')
      return namespaceDeletion(await readNamespace(registry, argument))
    },
    request: ({ argument }) => ({
      method: 'DELETE',
      path: apiPath('namespaces', argument),
      body: {},
      namespace: argument,
    }),
  })

  addReadCommand(namespace, invocation, {
    name: 'list',
    description: 'list the namespaces',
    namespaced: false,
    examples: ['namespace list', 'namespace list --json'],
    run: async ({ registry, context }) => {
      const found = await registry.get(apiPath('namespaces'), NamespaceList)
      const rows = found.namespaces.map(({ name }) => [name])
      return listed(found, { columns: ['name'], rows, whenEmpty: 'No namespaces.' }, context)
    },
  })
}
