/**
 * The rules of flags, compositions and commands, a sentence each. Every one has a case that shows it on a
 * running system: `index.test.ts` fails for one that is forgotten.
 */
export const RULES = {
  // Resources
  'resource.namespace.default': 'The namespace "default" is used when none is named.',
  'resource.graph':
    'A federated graph is composed from the published subgraphs whose labels match its matchers.',
  'resource.subgraph': 'A subgraph has a name, a routing URL, a schema and labels.',
  'resource.feature-subgraph.alone': 'A feature subgraph has no effect alone, only through an enabled flag.',
  'resource.feature-subgraph.shared': 'A feature subgraph can belong to several flags.',
  'resource.flag': 'A flag has a name, labels, one or more feature subgraphs and a state.',
  'resource.flag.independent':
    'Each flag is toggled independently of the others, even with overlapping subgraphs.',
  'resource.composition':
    'There is a base composition and one per enabled flag; one execution config holds them all.',

  // States of a flag
  'flag.created-disabled': 'A flag is created disabled unless it is created enabled.',
  'flag.created-enabled': 'A flag created enabled triggers a composition of the base and one with the flag.',
  'flag.active':
    'While a flag is enabled its feature subgraphs are active, while it is disabled they are not.',
  'flag.needs-both': 'If the base or the flag does not compose, the flag is not available to the router.',
  'feature-subgraph.publish-alone':
    'Publishing a feature subgraph that is in no flag triggers no composition.',

  // 1. Names, labels, matchers
  'label.characters':
    'Label keys and values: 1 to 63 of letters, digits, "_", ".", "-", alphanumeric at both ends.',
  'label.form': 'A label is written key=value.',
  'label.set': 'Labels are a set: duplicates collapse.',
  'matcher.and-or': 'Groups separated by spaces are AND, labels separated by commas in a group are OR.',
  'matcher.none': 'No matchers match only items without labels.',
  'name.namespace': 'A namespace is lower-case letters and digits with single "_" or "-" between.',
  'name.resource': 'Other names: 1 to 100 characters, alphanumeric at both ends, single ". / @ _ -" between.',
  'name.unique': 'Names are unique per kind in the namespace.',
  'name.feature-subgraph': 'Feature subgraphs share the name space of subgraphs.',
  'name.flag-travels': 'The rule holds for flag names too, and they travel in headers and cookies.',
  'name.nasty': 'Names that are words of the language, or as long as allowed, are only names.',
  'list.spaces':
    'Lists in commands are separated by spaces after the option; a quoted argument is split too.',

  // 2. Flags and feature subgraphs
  'applies.namespace': 'A flag applies only to graphs of its namespace.',
  'applies.labels': 'A flag applies only where its labels satisfy the matchers of the graph.',
  'applies.bases':
    'A flag applies only where every base that its published feature subgraphs replace takes part.',
  'applies.base-published': 'A base takes part only when it has a published schema.',
  'applies.enabled': 'A flag applies only while it is enabled.',
  'applies.published': 'A flag applies only when one of its feature subgraphs has a published schema.',
  'applies.unpublished-left-out': 'Unpublished feature subgraphs are left out and reported as a warning.',
  'flag.refusals': 'Creating a flag refuses with one numbered list of all problems.',
  'flag.refusal-changes-nothing': 'A refused flag changes nothing.',
  'flag.duplicate-name': 'A flag of a taken name is refused.',
  'flag.same-base': 'Two feature subgraphs of one base are refused.',
  'flag.empty-list': 'A flag without feature subgraphs is refused.',
  'flag.other-namespace': 'A feature subgraph of another namespace is refused.',
  'feature-subgraph.no-labels': 'Labels for a feature subgraph are refused.',
  'feature-subgraph.base-exists': 'The base of a feature subgraph must exist.',
  'feature-subgraph.base-same-namespace': 'The base of a feature subgraph must be in its namespace.',
  'feature-subgraph.base-is-base': 'The base of a feature subgraph must not be a feature subgraph.',
  'delete.base':
    'Deleting a base subgraph deletes its feature subgraphs; flags that lose members are recomposed.',
  'delete.flag-left-empty': 'A flag left empty stays and composes nothing.',
  'delete.confirm': 'Deletes refuse without a terminal (exit 2) and name --force, which does it.',
  'no-op.flag': 'Enabling an enabled flag changes nothing: says so, exit 0, no event, no composition.',
  'no-op.publish':
    'Publishing byte-identical SDL changes nothing: says so, exit 0, no event, no composition.',

  // 3. When compositions run
  'trigger.flag-created-disabled': 'A flag created disabled: none.',
  'trigger.feature-subgraph-created': 'A feature subgraph created: none.',
  'trigger.feature-subgraph-in-no-enabled-flag':
    'A feature subgraph published while in no enabled flag: none.',
  'trigger.flag-created-enabled': 'A flag created enabled: every graph that it applies to, base and flags.',
  'trigger.flag-enabled': 'A flag enabled: every graph that it applies to now, base and flags.',
  'trigger.flag-disabled': 'A flag disabled: every graph that it applied to before, base and flags.',
  'trigger.feature-subgraph-in-enabled-flag':
    'A feature subgraph published, in enabled flags: the graphs of those.',
  'trigger.base-published': 'A base subgraph published: graphs that contain it, base and flags.',
  'trigger.replaced-base-reused':
    'A flag that replaces the published subgraph keeps its inputs and is reused.',
  'trigger.flag-updated': 'A flag updated: every graph it applied to before or applies to now.',
  'trigger.flag-deleted':
    'A flag deleted while enabled: every graph that it applied to; while disabled none.',
  'trigger.base-updated': 'A base subgraph updated: graphs that contain it, base and flags.',
  'trigger.base-deleted': 'A base subgraph deleted: graphs that contained it.',
  'trigger.base-relabelled': 'A base subgraph relabelled: graphs that contain or contained it.',
  'trigger.matchers-changed': 'The matchers of a graph changed: that graph.',
  'trigger.graph-created': 'A graph created: that graph.',
  'failure.write-kept': 'A write is kept even if composition fails, and the command says so.',
  'failure.base-keeps-last-good': 'When the base fails routers keep the last good base.',
  'failure.removals-go-out': 'Removals go out at once although the base fails.',
  'failure.removals.deleted':
    'A flag that is deleted, or does not match any more, leaves although the base fails.',
  'failure.additions-wait':
    'Additions and changes wait while the base fails; flags are computed and shown all the same.',
  'failure.flag-leaves': 'When a flag fails the base goes out without it; the flag stays enabled.',
  'failure.flag-returns': 'The next successful composition restores a flag that failed.',
  'failure.state-visible': 'The state of a flag is visible: "served" or "not served: <reason>".',
  'unchanged.reported': 'A composition whose inputs did not change is part of the report as "unchanged".',
  'broken-base.served-flag-stays':
    'A flag that was served and is not touched stays served while the base is broken.',
  'broken-base.new-flag-waits': 'A flag enabled while the base is broken is not served until it composes.',
  'wait.reports': 'Mutating commands wait and print per graph and flag: composed or errors.',
  'wait.live': 'Mutating commands print how many routers serve the revision already.',
  'wait.pending': 'When the wait runs out the answer is pending, and the command goes on.',
  'wait.require-composed': 'With --require-composed a wait that runs out is exit 4.',
  'wait.no-wait': '--no-wait does not wait.',

  // 4. Choosing the composition for a request
  'select.header': 'The header names a valid flag: the flag answers.',
  'select.cookie': 'The cookie names a valid flag: the flag answers.',
  'select.header-first': 'Both are set: the header counts.',
  'select.unknown': 'An unknown flag means base, without an error.',
  'select.none': 'Neither is there: base answers.',
  'select.header-trimmed': 'The header is trimmed.',
  'select.blank-header': 'A blank header leaves the choice to the cookie.',
  'select.cookie-trimmed': 'The cookie is trimmed.',
  'select.case': 'Names match exactly, with their case.',
  'select.unknown-header-wins':
    'A header that names an unknown flag means base even if the cookie names a valid one.',
  'select.many-header-lines': 'Of several header lines the part before the first comma counts.',
  'select.first-cookie': 'Of several cookies of the name the first counts.',
  'select.quoted-cookie': 'Quotes around the cookie are stripped.',
  'select.encoded-cookie': 'The cookie is percent-decoded once.',
  'select.map': 'A name such as "constructor" that is no flag means base.',
  'select.response-header':
    'On a hit the response carries X-Feature-Flag with the configured name; else it does not.',
  'select.vary': 'Every GraphQL response has Vary: Accept, X-Feature-Flag, Cookie.',
  'select.cookie-off': '`flags.cookie: false` drops the cookie rule, and Cookie from Vary.',
  'select.logged': 'The reason goes into log fields; so does a name that no flag has, cut to 100 characters.',
  'select.not-served': 'A flag that cannot be built means base; the reason in the log is "not-served".',
  'select.not-in-errors': 'What a request asked for never appears in an error.',
  'select.introspection': 'Introspection shows the schema of the chosen composition.',
  'select.disabled': 'A disabled flag means base.',

  // 5. The command line
  'exit.done': 'Exit code 0: done.',
  'exit.no-op': 'Exit code 0: also a no-op.',
  'exit.empty-graph': 'Exit code 0: also a graph that has nothing to compose yet, with a warning.',
  'exit.refused': 'Exit code 1: refused, nothing changed.',
  'exit.refused.unauthorised': 'Exit code 1: unauthorised.',
  'exit.refused.invalid-sdl': 'Exit code 1: invalid SDL, with file and line.',
  'exit.usage': 'Exit code 2: the command line is wrong.',
  'exit.usage.file': 'Exit code 2: a file is missing or empty.',
  'exit.unreachable': 'Exit code 3: the registry cannot be reached.',
  'exit.composition-failed': 'Exit code 4: applied, but a composition it caused failed.',
  'exit.older-failure': 'An older failure with unchanged inputs is a warning and does not count.',
  'json.envelope': '--json: one document {ok, result, compositions, routers}.',
  'json.error': '--json: {ok: false, error} when it is refused.',
  'output.stderr': 'With --json stdout carries the document alone.',
  'output.colours': 'Without a terminal nothing is coloured.',
  'option.namespace': '-n/--namespace names the namespace.',
  'option.json': '-j is --json.',
  'setting.registry-url': 'SWITCHYARD_REGISTRY_URL names the registry.',
  'setting.api-key': 'SWITCHYARD_API_KEY is the key.',
  'command.namespace': 'namespace create, list.',
  'command.namespace.default': '"default" always exists.',
  'command.namespace.delete': 'namespace delete removes everything in it; "default" cannot be deleted.',
  'command.graph.update': 'federated-graph update: --label-matcher, --unset-label-matchers.',
  'command.graph.delete': 'federated-graph delete.',
  'command.graph.get': 'federated-graph get.',
  'command.graph.fetch': 'federated-graph fetch --out: supergraph SDL, subgraph SDLs, execution config.',
  'command.graph': 'federated-graph create, list; alias graph; --label-matcher.',
  'command.subgraph.create': 'subgraph create: --routing-url, --label.',
  'command.subgraph.publish': 'subgraph publish: --schema; also publishes feature subgraphs.',
  'command.subgraph.publish-creates':
    'subgraph publish creates a missing subgraph when --routing-url is given.',
  'command.subgraph.list': 'subgraph list.',
  'command.subgraph.update': 'subgraph update.',
  'command.subgraph.delete': 'subgraph delete.',
  'command.subgraph.get': 'subgraph get.',
  'command.subgraph.check':
    'subgraph check is a dry run: composition of every affected graph and flag; exit 1 on failure.',
  'command.subgraph.check-breaking': 'subgraph check finds breaking changes of the client schema; exit 1.',
  'command.feature-subgraph.update': 'fs update and delete behave as those of subgraph.',
  'command.feature-flag.update': 'feature-flag update: --label, --unset-labels, --fs (replaces).',
  'command.feature-flag.delete': 'feature-flag delete.',
  'command.feature-flag.get': 'feature-flag get.',
  'command.feature-flag.diff': 'feature-flag diff: changes of the client schema against base.',
  'command.config.history': 'config history lists the revisions.',
  'command.config.diff': 'config diff shows what two revisions serve differently: schema and plans.',
  'command.config.rollback': 'config rollback --to pins the graph; graph list and get show it.',
  'command.config.release': 'config release follows the newest revision again.',
  'command.config.fetch': 'config fetch writes an execution config that a router starts from.',
  'command.registry.export': 'registry export writes JSON Lines.',
  'command.registry.import': 'registry import works only into an empty registry.',
  'command.api-key': 'api-key create, list, delete; the key is shown once.',
  'command.feature-subgraph.create': 'feature-subgraph create: --routing-url, --subgraph; alias fs.',
  'command.feature-subgraph.publish': 'fs publish and list behave as those of subgraph.',
  'command.feature-subgraph.publish-creates':
    'fs publish of an unknown name creates it only with both --subgraph and --routing-url.',
  'command.feature-flag.create':
    'feature-flag create: --label, --feature-subgraphs or --fs, --enabled or -e; alias ff.',
  'command.feature-flag.switch': 'feature-flag enable, disable.',
  'command.feature-flag.list': 'feature-flag list shows the state per graph.',
  'command.router.compose': 'router compose: --input, --out, offline.',
  'command.router.compose-flags':
    'router compose: exit 4 if base or any flag fails; --allow-failed-flags relaxes.',
  'command.router.compose-input':
    'router compose: an unknown key, an unknown subgraph_name, two replacements of one base are errors.',
  'command.router.list': 'router list: instance, graph, revision, flags served, config age.',
  'command.router.verify':
    'router verify compares the engine with a stitched gateway, for base and with --flag for a flag.',
  'command.router.verify-live': 'router verify --live asks the real subgraphs.',
  'command.up.only-graph': 'up without --graph serves the only federated graph as soon as there is one.',
  'command.up.waits': 'up with a graph that does not exist yet waits for it: 503 with the reason.',
  'command.up.ports': 'up opens only its two ports.',
  'command.up.data-dir': 'up keeps everything under --data-dir and goes on from there.',
  'command.help': 'Every command has help with examples, and the shell can complete them.',
  'output.github': '--output github prints annotations for files.',
  'command.plan': 'plan: prints the plan, with --flag that of the flag.',
  'errors.compiler-like':
    'Composition errors have a code, a message and file:line:column with the source line and a caret.',
  'errors.unrelated': 'Unrelated subgraphs are not named in composition errors.',

  // 7. Authentication
  'auth.bearer': 'The registry takes API keys as Bearer tokens, and nothing else.',
  'auth.scope.read': 'The scope read reads and changes nothing.',
  'auth.scope.publish': 'The scope publish:<ns> publishes schemas in that namespace and does nothing else.',
  'auth.scope.deploy':
    'The scope deploy:<ns> makes every change in that namespace, and does nothing elsewhere.',
  'auth.scope.trace':
    'The scope trace:<ns> asks for trace tokens there and does nothing else; deploy:<ns> lacks it.',
  'auth.scope.admin': 'Only the scope admin manages keys, exports and imports.',
  'auth.key-form': 'A key is swy_<id>_<32 random bytes>.',
  'auth.key-file':
    'Without a bootstrap key up writes one to api-key (0600), which the CLI reads in that folder or with --data-dir.',
  'auth.bootstrap': 'SWITCHYARD_BOOTSTRAP_API_KEY is the first key.',
  'auth.needs-a-key': 'A registry with no key in its log and none given refuses to start.',
  'auth.rate': 'Failed authentications are limited per address; valid keys work all the same.',
  'auth.content-type': 'Writes need a JSON content type.',
  'auth.secrets': 'Secrets never appear in logs.',
  'auth.routing-url': 'Routing URLs: only http and https, no user information, no fragment.',
} as const

export type RuleId = keyof typeof RULES
