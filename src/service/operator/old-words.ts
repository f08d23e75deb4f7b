/** How the commands of `npm run operator --` were called before `svc`, by their names: the words that stand for each now. */
const NEW_WORDS: Readonly<Record<string, (parameters: readonly string[]) => NewCall>> = {
  'add-merchant': asJson('merchants add'),
  'list-merchants': as('merchants list'),
  'rename-merchant': as('merchants change'),
  'set-origins': as('merchants change'),
  'pre-auth': (parameters) => ({
    command: 'merchants change',
    parameters: parameters.map((one, at) => (at === 1 ? (PRE_AUTH[one] ?? one) : one)),
  }),
  'add-gateway': asJson('gateways add'),
  'list-gateways': as('gateways list'),
  'change-gateway': as('gateways change'),
  'set-default-gateway': as('gateways set-default'),
  'remove-gateway': as('gateways remove'),
  'list-keys': as('keys list'),
  'roll-key': asJson('keys roll'),
  'revoke-key': as('keys revoke'),
  'add-oauth-client': asJson('clients add'),
  'list-oauth-clients': as('clients list'),
  'roll-oauth-secret': asJson('clients roll'),
  'revoke-oauth-client': as('clients revoke'),
  'rotate-oauth-key': as('signing-keys rotate'),
  'rotate-vault': as('vault rotate'),
  'unknown-outcomes': as('outcomes list', '--json-lines'),
  'enter-outcome': as('outcomes enter'),
  'webhook-deliveries': as('webhooks undelivered'),
  'replay-webhooks': as('webhooks replay'),
  'verify-audit': as('audit verify'),
  'add-user': asJson('users add'),
  'list-users': as('users list'),
  'remove-user': as('users remove'),
  'reset-user': asJson('users reset'),
  'recount-charges': as('figures recount'),
}

const PRE_AUTH: Readonly<Record<string, string>> = { on: '--pre-auth', off: '--no-pre-auth' }

interface NewCall {
  /** As in `svc merchants add`. */
  command: string
  parameters: readonly string[]
}

function as(command: string, ...added: string[]) {
  return (parameters: readonly string[]): NewCall => ({ command, parameters: [...parameters, ...added] })
}

/** Those that wrote JSON go on doing so. */
function asJson(command: string) {
  return as(command, '--json')
}

/** The call of `svc` that does what an old call did; null for a name that was none, or that is the same now. */
export function newCallOf([name = '', ...parameters]: readonly string[]): NewCall | null {
  return Object.hasOwn(NEW_WORDS, name) ? (NEW_WORDS[name]?.(parameters) ?? null) : null
}
