/** Commands that a person can try next, with the addresses of this run. */
import { FLAG, GRAPH, USERS } from './shop.ts'
import { TRACE_FILE, TRACE_PAGE, TRACED_QUERY } from './trace.ts'

export type Addresses = {
  readonly routerUrl: string
  /** A link that signs a browser in to Studio, once. */
  readonly studioLink: string
  /** The data directory as it is typed in the checkout. */
  readonly dataDir: string
}

const DEFERRED =
  '{ products(first: 3) { name price ... @defer(label: "ratings") { averageRating } ... @defer(label: "delivery") { deliveryDays } } }'

function subscriptionTo(field: string): string {
  return `subscription { productOrdered { name price ${field} } }`
}

export function whatToTry({ routerUrl, studioLink, dataDir }: Addresses): string {
  const curl = (query: string, ...headers: readonly string[]) =>
    `  curl -s ${routerUrl} -H 'content-type: application/json'${headers.map((header) => ` -H '${header}'`).join('')} -d '${JSON.stringify({ query })}'`
  const prices = '{ products { name price shippingEstimate averageRating } }'
  const cli = (command: string) => `  switchyard ${command} --data-dir ${dataDir}`
  return `
Studio, the page on which you see and change all of it. The link signs you in once, within 5 minutes:
  ${studioLink}

These are typed in the checkout, after: export PATH="$PWD/.tools/bin:$PATH"

Another link to Studio:
${cli('studio')}

A page for trying operations, with the flag, parts and traces: ${new URL('/', routerUrl).href}

The base graph (four subgraphs answer):
${curl(prices)}

The same through the feature flag "${FLAG}", by header and by cookie: prices are lower, and there is a new field:
${curl('{ products { name price discountPercent } }', `X-Feature-Flag: ${FLAG}`)}
${curl(prices, `Cookie: feature_flag=${FLAG}`)}

A flag that does not exist is no error, the base graph answers:
${curl(prices, 'X-Feature-Flag: no-such-flag')}

A rollout gives the flag to half of the users without their naming it: ${USERS.inside} gets it, ${USERS.outside} does not. Move it, and ask again:
${curl(prices, `X-User: ${USERS.inside}`)}
${curl(prices, `X-User: ${USERS.outside}`)}
${cli(`rollout update ${FLAG} --percent 100 --reason 'no complaints'`)}
${cli(`rollout abort ${FLAG}`)}
${cli(`rollout get ${FLAG}`)}
${cli('audit --limit 5')}

A slow field that nobody has to wait for: with @defer its part arrives two seconds after the others:
${curl(DEFERRED, 'Accept: multipart/mixed').replace('curl -s ', 'curl -sN ')}

A subscription: each second a product is ordered, and other subgraphs add its name, price and rating. Ctrl-C ends it. With the flag, the same events have other prices:
  switchyard subscribe ${routerUrl} '${subscriptionTo('averageRating')}'
  switchyard subscribe ${routerUrl} '${subscriptionTo('discountPercent')}' --flag ${FLAG}

What the router did for a request, with every call of a subgraph, as a page for a browser: ${dataDir}/${TRACE_PAGE} is there already, and made again by
${curl(TRACED_QUERY, 'Accept: multipart/mixed', 'X-VENDOR-Trace: true')} -o ${dataDir}/${TRACE_FILE}
  switchyard trace open ${dataDir}/${TRACE_FILE} --out ${dataDir}/${TRACE_PAGE}

The demo runs in dev mode, where nobody needs a token for that. Elsewhere a header "X-VENDOR-Token" brings one, such as this:
${cli(`router trace-token ${GRAPH} --ttl 10m`)}

Whether such parts arrive as they are written (put your proxy in front of the router, and ask through that):
  switchyard defer doctor ${routerUrl}

Switch the flag off and on again while you ask, and look at what there is:
${cli(`feature-flag disable ${FLAG}`)}
${cli(`feature-flag enable ${FLAG}`)}
${cli('feature-flag list')}
${cli('subgraph list')}
${cli('router list')}
${cli('graph list')}

What the flag changes for clients, whether another schema would do harm, and a second opinion on every answer:
${cli(`feature-flag diff ${FLAG}`)}
${cli('subgraph check products --schema infra/demo/schemas/products-next.graphql')}
${cli(`config fetch ${GRAPH} --out ${dataDir}/config.json`)}
  switchyard router verify --execution-config ${dataDir}/config.json --flag ${FLAG}

Go back to an older revision, and follow the newest one again:
${cli(`config history ${GRAPH}`)}
${cli(`config rollback ${GRAPH} --to 1 --force`)}
${cli(`config release ${GRAPH}`)}

Publish a changed schema of the graph "${GRAPH}" (edit the file first):
${cli('subgraph publish products --schema infra/demo/schemas/products.graphql')}
`
}
