import { NamespaceList } from '@switchyard/contracts'
import type { Command } from 'commander'
import { parseNamespace } from '../arguments.ts'
import {
  checkWriting,
  finishList,
  finishWrite,
  withExamples,
  withRegistry,
  withWrite,
} from '../command-builder.ts'
import type { Invocation, RegistryOptions, WritingOptions } from '../command-builder.ts'
import { apiPath, connectRegistry } from '../registry/registry-client.ts'

export function addNamespaceCommands(program: Command, invocation: Invocation): void {
  const namespace = program.command('namespace').description('keep graphs of different teams or stages apart')

  withExamples(
    withWrite(namespace.command('create <name>').description('create a namespace'), { namespaced: false }),
    'namespace create staging',
  ).action(async (name: string, options: WritingOptions) => {
    checkWriting(options)
    const body = { name: parseNamespace(name) }
    const registry = await connectRegistry(invocation.context, options.dataDir)
    await finishWrite(invocation, options, await registry.write('POST', apiPath('namespaces'), body, options))
  })

  withExamples(
    withRegistry(namespace.command('list').description('list the namespaces'), { namespaced: false }),
    'namespace list',
    'namespace list --json',
  ).action(async (options: RegistryOptions) => {
    const registry = await connectRegistry(invocation.context, options.dataDir)
    const list = await registry.get(apiPath('namespaces'), NamespaceList)
    finishList(invocation, list, {
      columns: ['name'],
      rows: list.namespaces.map(({ name }) => [name]),
      whenEmpty: 'No namespaces.',
    })
  })
}
